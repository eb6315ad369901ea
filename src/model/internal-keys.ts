/*
 * The keys in a person's document that are never shown. They begin with `$`, which the ids of fields
 * may not.
 */
export const internalKeys = {
  /** For the `postcode` filter of volunteers and partners: each postcode and outward code without spaces. */
  postcode: '$postcode',
  /** The prefix, before a field's id, of the key with its postcode without spaces, for filters. */
  postcodeOf: '$postcode.',
  /** The edition of the postcode directory behind the person's areas. */
  edition: '$edition',
  /** By field, the date of the answer that filled it, or the time when it was cleared. */
  answered: '$answered',
} as const

/** Returns whether a key of a document is internal. */
export const isInternalKey = (key: string) => key.startsWith('$')
