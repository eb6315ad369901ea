import { isObject } from '../../model/json.ts'
import type { TargetField } from '../infer/target-fields.ts'
import type { ImportTarget } from '../targets/target.ts'

/** An answer to one question, as a survey response has it (contract 2.9); null where a row has none. */
export type FormAnswer = { questionId: string; question: string; type: string; response: unknown }

/** The answer that a cell of a question's column gives, its options as the form has them. */
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

/** Returns a target for records with answers: a null answer is removed, and answers without a column in the file stay. */
export const createAnswerTarget = (target: ImportTarget): ImportTarget => ({
  ...target,
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
