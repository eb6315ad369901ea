import { answerType, isDisplayed, questionType } from '../../model/forms/question-types.ts'
import type { Question, SurveyForm } from '../../model/forms/survey-form.ts'
import { toTimestamp } from '../../model/timestamp.ts'
import { countTableRows } from './parse-answer.ts'

/** The maximum numbers of questions and of options of a question on the public pages. */
export const maxQuestions = 300
export const maxOptions = 300

/** The maximum number of controls, because a request has at most 1,000 values. */
const maxControls = 900

type FormTerms = Pick<SurveyForm, 'settings' | 'deadline'>

/** Why a form takes no answers now, in sentences; none if it does. */
export const findClosures = (form: FormTerms, now = new Date()): string[] =>
  [
    form.settings.isArchived && 'The form is archived.',
    isClosed(form, now) && 'The deadline has passed.',
  ].filter((closure) => typeof closure === 'string')

/** Why people cannot answer the form on the public pages, in sentences; none if they can. */
export function findObstacles(form: SurveyForm, now = new Date()): string[] {
  const { questions } = form
  const uploads = questions.filter(
    (question) => question.required && questionType(question).isUpload,
  )
  const tooLong = questions.find(({ options }) => options.length > maxOptions)
  const obstacles = [
    questions.every((question) => isDisplayed(question)) && 'The form has no questions.',
    uploads.length > 0 &&
      `The public pages cannot receive files, and ${listTitles(uploads)} must be answered with a file. Make the answer optional, or remove the question.`,
    questions.length > maxQuestions && `The form has more than ${maxQuestions} questions.`,
    questions.reduce((sum, question) => sum + countControls(question), 0) > maxControls &&
      `The form has more than ${maxControls} options, places in rankings and cells of tables.`,
    tooLong && `${listTitles([tooLong])} has more than ${maxOptions} options.`,
  ]
  return [
    ...findClosures(form, now),
    ...obstacles.filter((obstacle) => typeof obstacle === 'string'),
  ]
}

function countControls(question: Question): number {
  const type = answerType(question)
  const { length } = question.options
  if (type === 'table') return length * countTableRows(question)
  return type === 'options' || type === 'ranking' ? length : maxControlsOfOthers
}

/** A date has three controls. */
const maxControlsOfOthers = 3

/** Whether anybody with the form's address can answer it; otherwise it needs a personal link. */
export const isOpenToEverybody = ({
  addPersonPublic,
  settings,
}: Pick<SurveyForm, 'addPersonPublic' | 'settings'>) => addPersonPublic && !settings.requiresLogin

/** Whether the deadline has passed. A deadline that is no time does not count. */
function isClosed({ deadline }: FormTerms, now: Date): boolean {
  const end = deadline === null ? undefined : toTimestamp(deadline)
  return end !== undefined && end < now.toISOString()
}

const listTitles = (questions: readonly { title: string }[]) =>
  questions.map(({ title }) => `“${title}”`).join(', ')
