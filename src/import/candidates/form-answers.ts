import { isObject } from '../../model/json.ts'
import type { TargetField } from '../mapping/target-fields.ts'
import type { ImportTarget } from '../targets/target.ts'

/** An answer in a survey response. `response` is null if the row has no answer. */
export type FormAnswer = { questionId: string; question: string; type: string; response: unknown }

/** The answer in a cell, with option texts replaced by the form's values; undefined if the column is not a question. */
export function toAnswer(targetField: TargetField, value: unknown): FormAnswer | undefined {
  if (!targetField.question) return undefined
  const { values, ...question } = targetField.question
  const toOptionValue = (option: unknown) =>
    typeof option === 'string' ? (values.get(option) ?? option) : option
  return {
    ...question,
    response: Array.isArray(value) ? value.map(toOptionValue) : toOptionValue(value),
  }
}

/** A target that merges answers: it removes null answers and keeps stored answers without a column in the file. */
export const createAnswerTarget = (target: ImportTarget): ImportTarget => ({
  ...target,
  // Without stored answers, merging only removes null ones.
  check: (input, before) => target.check(mergeAnswers(input, []), before),
  merge: (before, patch) => target.merge(before, mergeAnswers(patch, before?.responses)),
})

function mergeAnswers<Input>(input: Input, before: unknown): Input {
  if (!isObject(input) || !areAnswers(input.responses)) return input
  const newAnswers = new Map(input.responses.map((answer) => [answer.questionId, answer]))
  const existing = areAnswers(before) ? before : []
  const merged = existing.map((answer) => {
    const newAnswer = newAnswers.get(answer.questionId)
    newAnswers.delete(answer.questionId)
    return newAnswer ? { ...answer, ...newAnswer } : answer
  })
  const responses = [...merged, ...newAnswers.values()].filter(({ response }) => response !== null)
  return { ...input, responses }
}

const areAnswers = (value: unknown): value is FormAnswer[] =>
  Array.isArray(value) && value.every(isObject)
