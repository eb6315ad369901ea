import { type AnswerType, answerType } from '../../../model/forms/question-types.ts'
import type { Question } from '../../../model/forms/survey-form.ts'
import { contactDetails, nameMayHold } from '../../../model/properties/recognise.ts'
import type { MeasureName } from '../../../model/summary/measure-names.ts'

/** How the answers to a question are summarised. */
type ResultType = {
  /** Whether the answers are counted by value. */
  isGrouped?: true
  /** The measures besides the number of answers. */
  measures: readonly MeasureName[]
  /** Whether some answers are quoted. */
  isQuoted?: true
}

const definitions = {
  choice: { isGrouped: true, measures: [] },
  scale: { isGrouped: true, measures: ['average', 'median'] },
  number: { measures: ['average', 'median', 'min', 'max'] },
  yesOrNo: { isGrouped: true, measures: ['share'] },
  text: { isQuoted: true, measures: [] },
  other: { measures: [] },
} as const satisfies Record<string, ResultType>

export type ResultTypeName = keyof typeof definitions

/** A question with the type of its result, and the name of its answers in summaries. */
export type NamedQuestion = { question: Question; resultType: ResultTypeName; name: string }

export const resultTypes: Readonly<Record<ResultTypeName, ResultType>> = definitions

const byAnswer: Readonly<Record<AnswerType, ResultTypeName>> = {
  text: 'text',
  'long text': 'text',
  link: 'other',
  number: 'number',
  date: 'other',
  tick: 'yesOrNo',
  option: 'choice',
  'option or other': 'choice',
  options: 'choice',
  ranking: 'other',
  list: 'choice',
  table: 'other',
}

/** Types of texts that people write freely. Others hold an address or the name of somebody. */
const writtenTypes = /^(text( input)?|textarea|paragraph text input)$/i

export function resultTypeOf(question: Question): ResultTypeName {
  const resultType = byAnswer[answerType(question) ?? 'link']
  if (resultType === 'choice' && hasNumbers(question)) return 'scale'
  return resultType === 'text' && !mayBeQuoted(question) ? 'other' : resultType
}

/** Whether all options are numbers. Without options, a scale may have any. */
const hasNumbers = ({ options }: Question) =>
  options.length > 0 && options.every(({ value }) => typeof value === 'number')

/** Whether the answers to a question may be quoted. Names of people and contact details may not. */
const mayBeQuoted = ({ type, questionId, title }: Question) =>
  writtenTypes.test(type) &&
  !contactDetails.some((detail) => [questionId, title].some((name) => nameMayHold(detail, name)))
