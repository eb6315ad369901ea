import { groupQuestions, type Question, type SurveyForm } from '../../model/forms/survey-form.ts'

/** A form's sections in order, each with its questions in order. */
export type Layout = readonly LayoutSection[]

type LayoutSection = SurveyForm['sections'][number] & { questions: readonly Question[] }

/** The parts of a form that its layout determines. */
type FormParts = Pick<SurveyForm, 'sections' | 'questions'>

/** The layout of a form. A form without sections has one without a title. */
export const layoutOf = (form: SurveyForm): Layout =>
  groupQuestions(form).map(({ index, title, description, questions }) => ({
    title,
    description,
    questions,
    id: form.sections[index]?.id ?? '',
  }))

/** The sections and questions of a layout, with their positions. */
export const toParts = (layout: Layout): FormParts => ({
  sections: layout.map(({ title, description, id }) => ({ title, description, id })),
  questions: layout.flatMap(({ questions }, section) =>
    questions.map((question, order) => ({ ...question, section, order })),
  ),
})

/** Adds a question at the end of a section, or replaces the one with its id, which stays in place in its section. */
export function putQuestion(layout: Layout, question: Question, section: number): Layout {
  const isSame = ({ questionId }: Question) => questionId === question.questionId
  return layout.map((part, index) => {
    if (index !== section) return { ...part, questions: part.questions.filter((it) => !isSame(it)) }
    return {
      ...part,
      questions: part.questions.some(isSame)
        ? part.questions.map((it) => (isSame(it) ? question : it))
        : [...part.questions, question],
    }
  })
}

/** Removes a question. */
export const removeQuestion = (layout: Layout, id: string): Layout =>
  layout.map((part) => ({
    ...part,
    questions: part.questions.filter(({ questionId }) => questionId !== id),
  }))

/** Moves a question up (-1) or down (1): within its section, or from its end to the next section. */
export function moveQuestion(layout: Layout, id: string, step: -1 | 1): Layout {
  const section = layout.findIndex(({ questions }) =>
    questions.some(({ questionId }) => questionId === id),
  )
  const { questions = [] } = layout[section] ?? {}
  const index = questions.findIndex(({ questionId }) => questionId === id)
  const question = questions[index]
  if (!question) return layout
  if (questions[index + step])
    return layout.with(section, {
      ...(layout[section] as LayoutSection),
      questions: swap(questions, index, index + step),
    })
  const next = layout[section + step]
  if (!next) return layout
  const moved = step === 1 ? [question, ...next.questions] : [...next.questions, question]
  return removeQuestion(layout, id).with(section + step, { ...next, questions: moved })
}

/** Replaces the texts of a section, or adds a section at the end. */
export function putSection(
  layout: Layout,
  texts: { title: string; description: string },
  index = layout.length,
): Layout {
  const section = layout[index]
  if (section) return layout.with(index, { ...section, ...texts })
  return [...layout, { ...texts, id: crypto.randomUUID(), questions: [] }]
}

/** Moves a section with its questions up (-1) or down (1). */
export const moveSection = (layout: Layout, index: number, step: -1 | 1): Layout =>
  layout[index] && layout[index + step] ? swap(layout, index, index + step) : layout

/** Removes a section; its questions go to the one before, or to the next. The last section stays. */
export function removeSection(layout: Layout, index: number): Layout {
  const removed = layout[index]
  const heir = layout[index - 1] ?? layout[index + 1]
  if (!removed || !heir) return layout
  const questions =
    index === 0
      ? [...removed.questions, ...heir.questions]
      : [...heir.questions, ...removed.questions]
  return layout.flatMap((section) => {
    if (section === removed) return []
    return [section === heir ? { ...heir, questions } : section]
  })
}

function swap<Item>(items: readonly Item[], one: number, other: number): Item[] {
  const [first, second] = [items[one], items[other]]
  return items.map((item, index) =>
    index === one ? (second ?? item) : index === other ? (first ?? item) : item,
  )
}
