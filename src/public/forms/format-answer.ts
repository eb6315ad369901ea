import { answerType } from '../../model/forms/question-types.ts'
import type { Question } from '../../model/forms/survey-form.ts'
import { isObject, isSameJson } from '../../model/json.ts'
import { texts } from '../../texts/texts.ts'

/** An answer in words; '' for none. */
export function formatAnswer(question: Question, value: unknown): string {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.map((item) => formatItem(question, item)).join(', ')
  return formatItem(question, value)
}

function formatItem(question: Question, value: unknown): string {
  const option = question.options.find((option) => isSameJson(option.value, value))
  if (option?.label) return option.label
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  if (typeof value === 'number') return texts.formatNumber(value)
  if (isObject(value)) return Object.values(value).filter(Boolean).join(' – ')
  return answerType(question) === 'date' ? texts.dates.formatDay(String(value)) : String(value)
}
