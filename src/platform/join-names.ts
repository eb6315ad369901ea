/** Joins names for a sentence: "events, forms and funds". */
export const joinNames = (names: readonly string[]) => join(names, 'and')

/** Joins alternatives for a sentence: "events, forms or funds". */
export const joinAlternatives = (names: readonly string[]) => join(names, 'or')

// `Intl.ListFormat` takes 13 ms at its first use in an isolate.
const join = (names: readonly string[], word: string) =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}` : names.join('')
