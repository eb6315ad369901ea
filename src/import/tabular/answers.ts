import { isObject } from '../../model/is-object.ts'
import type { Target } from '../target.ts'
import type { Place } from './places.ts'

/** An answer to one question, as a survey response has it (contract 2.9); null where a row has none. */
export type Answer = { questionId: string; question: string; type: string; response: unknown }

/** The answer that a cell of a question's column gives, its options as the form has them. */
export function answerOf(place: Place, value: unknown): Answer | undefined {
  if (!place.question) return undefined
  const { values, ...question } = place.question
  const own = (one: unknown) => (typeof one === 'string' ? (values.get(one) ?? one) : one)
  return { ...question, response: Array.isArray(value) ? value.map(own) : own(value) }
}

/** A target whose records hold answers: one that is null is taken away, and answers to questions that a file has no column for stay. */
export const answering = (target: Target): Target => ({
  ...target,
  check: (given, before) => target.check(answered(given, []), before),
  merge: (before, patch) => target.merge(before, answered(patch, before?.responses)),
})

function answered<Given>(given: Given, before: unknown): Given {
  if (!isObject(given) || !isAnswers(given.responses)) return given
  const anew = new Map(given.responses.map((answer) => [answer.questionId, answer]))
  const known = isAnswers(before) ? before : []
  const kept = known.map((answer) => {
    const other = anew.get(answer.questionId)
    anew.delete(answer.questionId)
    return other ? { ...answer, ...other } : answer
  })
  const responses = [...kept, ...anew.values()].filter(({ response }) => response !== null)
  return { ...given, responses }
}

const isAnswers = (value: unknown): value is Answer[] =>
  Array.isArray(value) && value.every(isObject)
