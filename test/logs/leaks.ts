/** Never allowed in a log: more than the visible start of a key, a token, a query string, a private link. */
const secret = /sk_[0-9A-Za-z]{6,}|eyJ[\w-]{10,}|\?[^\s"']+=|\/o\/\S+\/[\w-]{32}/

/** The personal or secret texts of a request: its query string and values, credentials and cookies. */
export function sensitiveTextsOfRequest({ url, headers }: Request): string[] {
  const { search, searchParams } = new URL(url)
  const credentials = ['x-api-key', 'Authorization', 'Cookie', 'Idempotency-Key']
  const sent = credentials.flatMap((name) => (headers.get(name) ?? '').split(/[ ;=]+/))
  return [search.slice(1), ...searchParams.values(), ...sent].filter(isIdentifying)
}

/** The texts in a record or in a list of records. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return isIdentifying(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** The log lines with a key, a token, a query string or one of these texts. */
export const findLeaks = (lines: readonly string[], texts: readonly string[]) =>
  lines.filter((line) => {
    // Lines name the organisation and the method, and the template of a route its collection and parameters.
    const values = line.replaceAll(
      /\/:\w+|"organisation":"[\w-]+"|"method":"[A-Z]+"|(?<="route":"\/api\/v1\/)[a-z-]+/g,
      '',
    )
    return secret.test(values) || texts.some((text) => values.includes(text))
  })

/**
 * Whether finding a text in a log tells that it came from a record or a request. A log has words of
 * its own, function names and numbers of lines: five characters, or words in lower case with
 * slashes, may be of those.
 */
function isIdentifying(text: string): boolean {
  return text.length > 5 && !/^[a-z/]+$/.test(text)
}
