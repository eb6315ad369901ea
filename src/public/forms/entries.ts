import { type AnswerType, answerType } from '../../model/forms/question-types.ts'
import type { Question } from '../../model/forms/survey-form.ts'
import type { Entries } from '../../sign-up/forms/answers.ts'
import { countTableRows, type Entry } from '../../sign-up/forms/parse-answer.ts'
import { datePartNames, type FormValues } from '../ui/form-values.ts'

const prefix = 'q.'

/** The name of a question's control. Further controls append a dot and another name. */
export const controlName = ({ questionId }: Pick<Question, 'questionId'>) =>
  prefix + questionId.replaceAll('%', '%25').replaceAll('.', '%2E')

/** The name of the control with this index, of a question with several. */
export const partName = (question: Question, index: number) => `${controlName(question)}.${index}`

/** The name of the control for an answer that is no option. */
export const otherName = (question: Question) => `${controlName(question)}.other`

/** What a person entered for each question. */
export const readEntries = (questions: readonly Question[], values: FormValues): Entries =>
  new Map(questions.map((question) => [question.questionId, readEntry(question, values)]))

function readEntry(question: Question, values: FormValues): Entry {
  const type = answerType(question)
  return type ? (readers[type] ?? readText)(question, values) : []
}

type Reader = (question: Question, values: FormValues) => Entry

const readText: Reader = (question, values) => [values.text(controlName(question))]

const readList: Reader = (question, values) => values.list(controlName(question))

const readParts = (question: Question, values: FormValues, count: number): Entry =>
  Array.from({ length: count }, (_, index) => values.text(partName(question, index)))

const readers: Partial<Record<AnswerType, Reader>> = {
  date: (question, values) =>
    datePartNames.map((part) => values.text(`${controlName(question)}.${part}`)),
  tick: readList,
  options: readList,
  'option or other': (question, values) => [
    values.text(controlName(question)),
    values.text(otherName(question)),
  ],
  ranking: (question, values) => readParts(question, values, question.options.length),
  table: (question, values) =>
    readParts(question, values, question.options.length * countTableRows(question)),
}

/** The values of all questions, as a draft stores them. */
export const answerValues = (values: FormValues) =>
  values.entries((control) => control.startsWith(prefix))

/** The values of all questions but these, which another page of the form has. */
export function carriedValues(values: FormValues, questions: readonly Question[]) {
  const names = questions.map(controlName)
  return values.entries(
    (control) =>
      control.startsWith(prefix) &&
      !names.some((name) => control === name || control.startsWith(`${name}.`)),
  )
}
