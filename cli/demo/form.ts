import { at } from './calendar.ts'
import { organisation } from './organisation.ts'

export type Form = ReturnType<typeof form>
export type Question = Form['questions'][number]

type QuestionGiven = {
  id: string
  title: string
  type: keyof typeof answerTypes
  options?: readonly string[]
  required?: boolean
  description?: string
  outcome?: string
  validation?: { minAllowed?: number; maxAllowed?: number; wordCount?: number }
  hasConditions?: boolean
}

/** The type of the answers to each type of question; a heading has none. */
export const answerTypes = {
  'Text Input': 'text',
  'Paragraph Text Input': 'textarea',
  number: 'number',
  Dropdown: 'select',
  'Dropdown with custom input': 'select',
  'Dropdown: Multiple choice': 'multiselect',
  'Multiple Choice': 'select',
  'Likert Scale': 'select',
  Checkbox: 'boolean',
  Heading: '',
} as const

export const agreement = [
  'Strongly disagree',
  'Disagree',
  'Neither',
  'Agree',
  'Strongly agree',
] as const

/** A form (contract 2.8) of the sections given; what is left out of the rest has no value. */
export function form({
  id,
  sections,
  settings = {},
  more = {},
  ...head
}: {
  id: string
  name: string
  type: 'application' | 'survey' | 'anonymous' | 'progress-report' | 'scorecard' | 'session-plan'
  description: string
  sections: { title: string; questions: QuestionGiven[] }[]
  settings?: { [Name in 'isArchived' | 'calculateOverallScore' | 'coverPage']?: boolean }
  more?: { formFor?: string; schemaForm?: boolean; deadline?: string; assessmentFormId?: string }
}) {
  const questions = sections.flatMap(({ questions }, section) =>
    questions.map((given, order) => question(given, section, order)),
  )
  return {
    formId: id,
    name: head.name,
    type: head.type,
    managedBy: organisation.id,
    description: head.description,
    questionCount: questions.length,
    sections: sections.map(({ title }, index) => ({
      title,
      description: '',
      id: `${id}-section-${index + 1}`,
    })),
    questions,
    settings: {
      isArchived: settings.isArchived ?? false,
      isAnonymous: head.type === 'anonymous',
      individualMode: more.schemaForm ?? false,
      requiresLogin: head.type === 'progress-report' || head.type === 'scorecard',
      coverPage: settings.coverPage ?? false,
      hideQuestionNumbers: false,
      calculateOverallScore: settings.calculateOverallScore ?? false,
      afterSubmitMessage: 'Thank you. Your answers are with us.',
      scoreDirection: 'ascending',
    },
    linkedFormId: null,
    assessmentFormId: more.assessmentFormId ?? null,
    allowMultipleApplications: head.type === 'application',
    deadline: more.deadline ?? null,
    schemaForm: more.schemaForm ?? false,
    formFor: more.formFor ?? null,
    addPersonPublic: false,
    created: at('2023-11-06', '10:00'),
    updated: at('2024-01-04', '15:30'),
  }
}

function question(
  {
    id,
    title,
    type,
    options = [],
    required = false,
    description = '',
    outcome,
    validation = {},
    hasConditions = false,
  }: QuestionGiven,
  section: number,
  order: number,
) {
  return {
    questionId: id,
    title,
    type,
    section,
    required,
    order,
    // The places of a scale are what its score is counted from.
    options: options.map((label, index) => ({
      label,
      value: type === 'Likert Scale' ? index + 1 : label,
    })),
    description,
    outcome: outcome ?? null,
    validation,
    hasConditions,
  }
}
