/*
 * What is kept in a person's document beside the values of their fields, and never shown. No field
 * can have such a key: ids of fields may not begin with `$`.
 */
export const internalKeys = {
  /** What the `postcode` filter of volunteers and partners finds them by: each postcode and its outward code, compact. */
  postcode: '$postcode',
  /** What a filter on one postcode field finds a person by: that postcode, compact; followed by the field's id. */
  postcodeOf: '$postcode.',
  /** By which edition of the directory the person's postcodes were placed. */
  edition: '$edition',
  /** By field, the date of the answer its value was taken from, or the time its value was cleared. */
  answered: '$answered',
} as const

/** Whether a key of a document is kept beside the values, and never shown. */
export const isInternalKey = (key: string) => key.startsWith('$')
