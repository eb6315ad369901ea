/** Joins names for a sentence: "events, forms and funds". */
export const joinNames = (names: readonly string[]) =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names)

/** Joins alternatives for a sentence: "events, forms or funds". */
export const joinAlternatives = (names: readonly string[]) =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names)
