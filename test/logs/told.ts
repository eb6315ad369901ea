/** What no log may hold, whatever it says: more of a key than is shown of it, a token, a query string. */
const secret = /sk_[0-9A-Za-z]{6,}|eyJ[\w-]{10,}|\?[^\s"']+=/

/** What a request says that is personal or secret: its query string, each value in it, its credentials and its cookies. */
export function saidBy({ url, headers }: Request): string[] {
  const { search, searchParams } = new URL(url)
  const credentials = ['x-api-key', 'Authorization', 'Cookie', 'Idempotency-Key']
  const sent = credentials.flatMap((name) => (headers.get(name) ?? '').split(/[ ;=]+/))
  return [search.slice(1), ...searchParams.values(), ...sent].filter(isTelling)
}

/** The texts in a record, or in any number of them. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return isTelling(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** The lines of a log that hold a key, a token, a query string or one of these texts. */
export const telling = (lines: readonly string[], texts: readonly string[]) =>
  lines.filter((line) => secret.test(line) || texts.some((text) => line.includes(text)))

/**
 * Whether finding a text in a log tells that it came from a record or a request. A log has words of
 * its own, function names and numbers of lines: five characters, or one word in lower case, may be
 * of those.
 */
function isTelling(text: string): boolean {
  return text.length > 5 && !/^[a-z]+$/.test(text)
}
