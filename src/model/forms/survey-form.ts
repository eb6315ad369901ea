import { type Kind, kindNames } from '../properties/schema.ts'

/** A stored form, with the properties that answering needs. */
export type SurveyForm = {
  formId: string
  name: string
  type: string
  description: string
  sections: readonly Section[]
  questions: readonly Question[]
  settings: {
    isArchived: boolean
    isAnonymous: boolean
    individualMode: boolean
    requiresLogin: boolean
    coverPage: boolean
    hideQuestionNumbers: boolean
    calculateOverallScore: boolean
    afterSubmitMessage: string
    scoreDirection: string
  }
  allowMultipleApplications: boolean
  deadline: string | null
  /** Whether the answers fill the fields of the people with the same ids as the questions. */
  schemaForm: boolean
  /** The kind of these people, such as `Members`. */
  formFor: string | null
  addPersonPublic: boolean
}

type Section = { title: string; description: string; id: string }

export type Question = {
  questionId: string
  title: string
  type: string
  section: number | null
  required: boolean
  order: number | null
  options: readonly QuestionOption[]
  description: string
  outcome: string | null
  validation: { minAllowed?: number; maxAllowed?: number; wordCount?: number }
  /** Whether it is shown only after some answers to other questions. Without `$showIf`, only its source knows which. */
  hasConditions: boolean
  $showIf?: Condition
}

/** When a question is asked: after some answers to an earlier question, or after all others. */
export type Condition = {
  /** The earlier question. */
  questionId: string
  /** Values of its options, or true or false for a checkbox. */
  answers: readonly unknown[]
  /** Whether the question is asked after all other answers instead. */
  isNot: boolean
}

/** An option of a question. Its value can be any JSON value. */
export type QuestionOption = { label: string; value: unknown }

export const parseSurveyForm = (document: string): SurveyForm => JSON.parse(document)

export const isAnonymous = ({ type, settings }: SurveyForm) =>
  settings.isAnonymous || type === 'anonymous'

/** The forms for people of each kind, and the property that links a response to a person. */
export const audiences = {
  members: { formFor: 'Members', linkedBy: 'linkedEntities.memberIds' },
  volunteers: { formFor: 'Volunteers', linkedBy: 'linkedEntities.volunteerIds' },
  partners: { formFor: 'Partners', linkedBy: 'linkedEntities.partnerIds' },
} as const satisfies Record<Kind, { formFor: string; linkedBy: string }>

/** The kind of people that answers fill with values; undefined unless it is a schema form. */
export const filledKind = ({ schemaForm, formFor }: SurveyForm): Kind | undefined =>
  schemaForm ? kindNames.find((kind) => audiences[kind].formFor === formFor) : undefined

/** A section with its questions, in order. */
type QuestionSection = {
  /** Its index in the form. */
  index: number
  title: string
  description: string
  questions: readonly Question[]
}

/** Groups a form's questions by section, in order. Questions of a missing section are in the first. */
export function groupQuestions({ sections, questions }: SurveyForm): QuestionSection[] {
  const all = sections.length > 0 ? sections : [{ title: '', description: '' }]
  const bySection = Map.groupBy(questions, ({ section }) =>
    section !== null && all[section] ? section : 0,
  )
  return all.map(({ title, description }, index) => ({
    index,
    title,
    description,
    questions: (bySection.get(index) ?? []).toSorted(
      (one, other) => (one.order ?? 0) - (other.order ?? 0),
    ),
  }))
}
