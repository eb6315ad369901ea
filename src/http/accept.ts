/** The format of `types` that an Accept header prefers; JSON by default. */
export function negotiateFormat<Format extends string>(
  types: Readonly<Record<Format | 'json', string>>,
  header = '',
): Format | 'json' {
  const formats = Object.keys(types) as (Format | 'json')[]
  // A fast path: most requests accept only JSON.
  if (!formats.some((format) => format !== 'json' && header.toLowerCase().includes(format)))
    return 'json'
  const toFormat = (type: string) =>
    jsonWildcards.has(type) ? 'json' : formats.find((format) => types[format] === type)
  const [best] = parseAccept(header)
    .map(({ type, quality }) => ({ format: toFormat(type), quality }))
    .filter(({ format, quality }) => format && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
  return best?.format ?? 'json'
}

export const problemType = 'application/problem+json'

/** Whether an Accept header names problem documents (RFC 9457) and does not prefer plain JSON. */
export function acceptsProblem(header = ''): boolean {
  if (!header.toLowerCase().includes(problemType)) return false
  const ranges = parseAccept(header)
  const quality = ranges.find(({ type }) => type === problemType)?.quality ?? 0
  return (
    quality > 0 &&
    ranges.every((range) => range.type !== 'application/json' || range.quality <= quality)
  )
}

/** The ranges of media types that JSON is in. */
export const jsonWildcards: ReadonlySet<string> = new Set(['*/*', 'application/*'])

export const parseAccept = (header: string) =>
  header.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return { type, parameters, quality: quality ? Number(quality.slice(2)) : 1 }
  })
