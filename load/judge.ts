import type { Answer } from './connection.ts'

/** What is wrong with an answer that must have this status and, byte by byte, this text. */
export const is =
  (status: number, expected: string | (() => string)) =>
  (answer: Answer): string | undefined => {
    if (answer.status !== status) return `status ${answer.status}: ${answer.text.slice(0, 200)}`
    const text = typeof expected === 'string' ? expected : expected()
    return answer.text === text ? undefined : difference(answer.text, text)
  }

/** What is wrong with an answer that must refuse, with this message if one is given. */
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
