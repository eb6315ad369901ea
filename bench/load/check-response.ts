import type { LoadResponse } from './connection.ts'
import type { Step } from './step.ts'

/**
 * Returns the error of a response. Credentials that changed during the request may be rejected, at once
 * or in the middle of a stream: the service checks them again with each page and then aborts.
 */
export function findResponseError(
  step: Pick<Step, 'findError' | 'isPublic' | 'isStreamed'>,
  answer: LoadResponse,
  isStable: boolean,
  isValid: boolean,
): string | undefined {
  if (!answer.isComplete) {
    const isAllowed = step.isStreamed && !isStable
    return isAllowed ? undefined : `aborted after ${answer.text.length} characters`
  }
  if (step.isPublic || (isStable && isValid)) return step.findError(answer)
  if (answer.status === 401) return undefined
  return isStable ? `status ${answer.status}, with invalid credentials` : step.findError(answer)
}

/** Returns the error of a response that should have this status and exactly this text. */
export const expectText =
  (status: number, expected: string | (() => string)) =>
  (answer: LoadResponse): string | undefined => {
    if (answer.status !== status) return `status ${answer.status}: ${answer.text.slice(0, 200)}`
    const text = typeof expected === 'string' ? expected : expected()
    return answer.text === text ? undefined : describeDifference(answer.text, text)
  }

/** Returns the error of a response that should be rejected, optionally with this message. */
export const expectError =
  (status: number, message?: string) =>
  (answer: LoadResponse): string | undefined => {
    if (answer.status !== status) return `status ${answer.status}: ${answer.text.slice(0, 200)}`
    const body = JSON.parse(answer.text)
    return message && body.message !== message ? body.message : undefined
  }

function describeDifference(text: string, expected: string): string {
  let at = 0
  while (text[at] === expected[at]) at++
  const around = (text: string) => text.slice(Math.max(0, at - 40), at + 80)
  return `…${around(text)}… instead of …${around(expected)}…`
}
