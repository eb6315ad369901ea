/** The form that an Accept header likes best, of those with these media types; JSON unless it names another. */
export function negotiateFormat<Format extends string>(
  types: Readonly<Record<Format | 'json', string>>,
  header = '',
): Format | 'json' {
  const formats = Object.keys(types) as (Format | 'json')[]
  // Few ask for anything else, and many often.
  if (!formats.some((form) => form !== 'json' && header.toLowerCase().includes(form))) return 'json'
  const toFormat = (type: string) =>
    type === '*/*' || type === 'application/*'
      ? 'json'
      : formats.find((form) => types[form] === type)
  const ranges = header.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    return { form: toFormat(type), quality: q ? Number(q.slice(2)) : 1 }
  })
  const [best] = ranges
    .filter(({ form, quality }) => form && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
  return best?.form ?? 'json'
}
