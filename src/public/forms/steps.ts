import { answerType, isDisplayed } from '../../model/forms/question-types.ts'
import { groupQuestions, type Question, type SurveyForm } from '../../model/forms/survey-form.ts'
import type { Schema } from '../../model/properties/schema.ts'
import type { ValidationError } from '../../model/validation-error.ts'
import {
  answerableQuestions,
  shownQuestions,
  validateAnswers,
} from '../../sign-up/forms/answers.ts'
import type { FormErrors } from '../ui/form.tsx'
import type { FormValues } from '../ui/form-values.ts'
import { controlName, readEntries } from './entries.ts'

/** A page of questions: a section, or one question in individual mode. */
export type FormStep = { title: string; description: string; questions: readonly Question[] }

/**
 * The pages of a form. Questions for files are left out. A question that depends on another follows on a later page, so
 * that the server decides whether it is shown, and the pages need no script.
 */
export function buildSteps(form: SurveyForm): FormStep[] {
  const sections = groupQuestions(form).map((section) => ({
    ...section,
    questions: section.questions.filter(
      (question) => isDisplayed(question) || answerType(question) !== undefined,
    ),
  }))
  const steps = form.settings.individualMode
    ? sections.flatMap(splitSection)
    : sections.flatMap(splitAtConditions)
  return steps.filter(({ questions }) => questions.length > 0)
}

/** The ids of the questions and texts that a form shows after these answers. */
export const shownIds = (form: SurveyForm, values: FormValues): ReadonlySet<string> =>
  new Set(
    shownQuestions(form, readEntries(answerableQuestions(form), values)).map(
      ({ questionId }) => questionId,
    ),
  )

/** The pages of a form with something to show, by their indexes in `steps`. */
export const listShownSteps = (steps: readonly FormStep[], shown: ReadonlySet<string>): number[] =>
  [...steps.keys()].filter((index) =>
    steps[index]?.questions.some(({ questionId }) => shown.has(questionId)),
  )

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
  return toPages({ title, description }, steps)
}

/** Splits a section before each question that depends on one of the same page. */
function splitAtConditions({ title, description, questions }: FormStep): FormStep[] {
  const steps: Question[][] = []
  for (const question of questions) {
    const page = steps.at(-1)
    const isDependent = page?.some(({ questionId }) => questionId === question.$showIf?.questionId)
    if (page && !isDependent) page.push(question)
    else steps.push([question])
  }
  return toPages({ title, description }, steps)
}

/** The pages of a section. The first has its text. */
const toPages = (
  { title, description }: Omit<FormStep, 'questions'>,
  steps: readonly (readonly Question[])[],
): FormStep[] =>
  steps.map((questions, index) => ({
    title,
    description: index === 0 ? description : '',
    questions,
  }))

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

/** The page that somebody left. A form that has changed since may have fewer pages. */
export const viewOfPage = (form: SurveyForm, page: string): FormView => ({
  page: parsePage(page, buildSteps(form).length),
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
  const shown = shownIds(form, values)
  const shownSteps = listShownSteps(steps, shown)
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
    const before = shownSteps.findLast((step) => page === 'check' || step < Number(page))
    return before === undefined ? firstView(form) : show(before)
  }
  if (page === 'cover') return show(0)
  if (page === 'check') return show('check')
  const questions = (steps[page]?.questions ?? []).filter(({ questionId }) => shown.has(questionId))
  const { errors } = validateAnswers(questions, readEntries(questions, values), schema)
  if (errors.length > 0) return { page, isChange, errors: toFormErrors(errors) }
  if (!isChange) return show(shownSteps.find((step) => step > page) ?? 'check')
  const dependent = steps.findIndex((step) =>
    step.questions.some(
      (question) =>
        dependsOn(question, questions) &&
        shown.has(question.questionId) &&
        !isFilled(question, values),
    ),
  )
  return dependent < 0 ? show('check') : show(dependent, true)
}

/** Whether one of these questions decides about another. */
const dependsOn = ({ $showIf }: Question, questions: readonly Question[]) =>
  questions.some(({ questionId }) => questionId === $showIf?.questionId)

/** Whether somebody entered something for a question. */
const isFilled = (question: Question, values: FormValues) =>
  (readEntries([question], values).get(question.questionId) ?? []).some((text) => text !== '')

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
