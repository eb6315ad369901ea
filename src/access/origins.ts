import { isLoopback } from '../platform/loopback.ts'

/** The maximum number of origins that a key can list. */
export const maxOrigins = 20

const maxCharacters = 255

/** The error message for an invalid web origin; undefined for one in the form that browsers send: https, or http on this machine. */
export function validateOrigin(text: string): string | undefined {
  const url = text.length <= maxCharacters && URL.canParse(text) ? new URL(text) : undefined
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  return isSafe && url.origin === text && !text.includes('*')
    ? undefined
    : `must be the origin of a web page, such as https://www.example.org or http://localhost:3000: at most ${maxCharacters} characters, in lower case, without a path.`
}
