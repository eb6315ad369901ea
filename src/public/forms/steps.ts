import { answerType, isDisplayed } from '../../model/forms/question-types.ts'
import { groupQuestions, type Question, type SurveyForm } from '../../model/forms/survey-form.ts'
import type { Schema } from '../../model/properties/schema.ts'
import type { ValidationError } from '../../model/validation-error.ts'
import { validateAnswers } from '../../sign-up/forms/answers.ts'
import type { FormErrors } from '../ui/form.tsx'
import type { FormValues } from '../ui/form-values.ts'
import { controlName, readEntries } from './entries.ts'

/** A page of questions: a section, or one question in individual mode. */
export type FormStep = { title: string; description: string; questions: readonly Question[] }

/** The pages of a form. Questions for files are left out. */
export function buildSteps(form: SurveyForm): FormStep[] {
  const sections = groupQuestions(form).map((section) => ({
    ...section,
    questions: section.questions.filter(
      (question) => isDisplayed(question) || answerType(question) !== undefined,
    ),
  }))
  const steps = form.settings.individualMode ? sections.flatMap(splitSection) : sections
  return steps.filter(({ questions }) => questions.length > 0)
}

/** Splits a section into pages of one question, each with the texts before it. */
function splitSection({ title, description, questions }: FormStep): FormStep[] {
  const steps: Question[][] = []
  let isOpen = false
  for (const question of questions) {
    const last = steps.at(-1)
    if (last && isOpen) last.push(question)
    else steps.push([question])
    isOpen = isDisplayed(question)
  }
  return steps.map((questions, index) => ({
    title,
    description: index === 0 ? description : '',
    questions,
  }))
}

/**
 * The page of a form to show: the cover, a step by its index, or the check of all answers.
 * `isChange` is true for a step that was opened from the check.
 */
export type FormView = {
  page: 'cover' | number | 'check'
  isChange: boolean
  errors: FormErrors
}

export const firstView = ({ settings }: SurveyForm): FormView => ({
  page: settings.coverPage ? 'cover' : 0,
  isChange: false,
  errors: {},
})

/** The check of all answers. */
export const checkView: FormView = { page: 'check', isChange: false, errors: {} }

/** The page to show after a page was sent: the next, or the same with its errors. */
export function nextView(
  form: SurveyForm,
  values: FormValues,
  schema: Schema | undefined,
): FormView {
  const steps = buildSteps(form)
  const [action, target = ''] = values.text('go').split(' ')
  const page = parsePage(values.text('page'), steps.length)
  const isChange = values.text('isChange') === 'true'
  const show = (page: FormView['page'], isChange = false): FormView => ({
    page,
    isChange,
    errors: {},
  })
  if (action === 'change') return show(parsePage(target, steps.length), true)
  if (action === 'back') {
    if (isChange) return show('check')
    if (page === 'check') return show(steps.length - 1)
    return typeof page === 'number' && page > 0 ? show(page - 1) : firstView(form)
  }
  if (page === 'cover') return show(0)
  if (page === 'check') return show('check')
  const { questions = [] } = steps[page] ?? {}
  const { errors } = validateAnswers(questions, readEntries(questions, values), schema)
  if (errors.length > 0) return { page, isChange, errors: toFormErrors(errors) }
  return show(isChange || page === steps.length - 1 ? 'check' : page + 1)
}

/** The first page with errors. */
export function viewWithErrors(form: SurveyForm, errors: readonly ValidationError[]): FormView {
  const steps = buildSteps(form)
  const hasError = ({ questionId }: Question) => errors.some(({ field }) => field === questionId)
  const page = Math.max(
    0,
    steps.findIndex(({ questions }) => questions.some(hasError)),
  )
  const onPage = errors.filter(({ field }) =>
    steps[page]?.questions.some(({ questionId }) => questionId === field),
  )
  return { page, isChange: true, errors: toFormErrors(onPage) }
}

const toFormErrors = (errors: readonly ValidationError[]): FormErrors =>
  Object.fromEntries(
    errors.map(({ field, message }) => [controlName({ questionId: field }), message]),
  )

function parsePage(text: string, steps: number): FormView['page'] {
  if (text === 'cover' || text === 'check') return text
  const page = Number(text)
  return Number.isInteger(page) && page >= 0 && page < steps ? page : 0
}

/** The number of each question, unless the form hides them. */
export function numberQuestions(form: SurveyForm): ReadonlyMap<string, number> {
  if (form.settings.hideQuestionNumbers) return new Map()
  return new Map(
    buildSteps(form)
      .flatMap(({ questions }) => questions)
      .filter((question) => answerType(question) !== undefined)
      .map(({ questionId }, index) => [questionId, index + 1]),
  )
}
