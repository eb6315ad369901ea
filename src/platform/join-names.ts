/** Joins names for a sentence: "events, forms and funds". */
export const joinNames = (names: readonly string[]) =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names)
