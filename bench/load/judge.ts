import type { Answer } from './connection.ts'
import type { Question } from './question.ts'

/**
 * The fault of an answer. Credentials that changed during the request may be refused, at once or in the
 * middle of a streamed answer: the service checks them again with each page and then breaks off.
 */
export function faultOfAnswer(
  asked: Pick<Question, 'fault' | 'isOpen' | 'isStreamed'>,
  answer: Answer,
  isSure: boolean,
  isGood: boolean,
): string | undefined {
  if (!answer.isComplete) {
    const isAllowed = asked.isStreamed && !isSure
    return isAllowed ? undefined : `broken off after ${answer.text.length} characters`
  }
  if (asked.isOpen || (isSure && isGood)) return asked.fault(answer)
  if (answer.status === 401) return undefined
  return isSure
    ? `status ${answer.status}, with credentials that are not good`
    : asked.fault(answer)
}

/** Returns the error of a response that should have this status and exactly this text. */
export const is =
  (status: number, expected: string | (() => string)) =>
  (answer: Answer): string | undefined => {
    if (answer.status !== status) return `status ${answer.status}: ${answer.text.slice(0, 200)}`
    const text = typeof expected === 'string' ? expected : expected()
    return answer.text === text ? undefined : difference(answer.text, text)
  }

/** Returns the error of a response that should be rejected, optionally with this message. */
export const isError =
  (status: number, message?: string) =>
  (answer: Answer): string | undefined => {
    if (answer.status !== status) return `status ${answer.status}: ${answer.text.slice(0, 200)}`
    const body = JSON.parse(answer.text)
    return message && body.message !== message ? body.message : undefined
  }

function difference(given: string, expected: string): string {
  let at = 0
  while (given[at] === expected[at]) at++
  const around = (text: string) => text.slice(Math.max(0, at - 40), at + 80)
  return `…${around(given)}… instead of …${around(expected)}…`
}
