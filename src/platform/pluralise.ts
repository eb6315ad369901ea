import { formatNumber } from './format-number.ts'

/** A word in the number of a count: `pluralise(2, 'place')` is "places". */
export const pluralise = (count: number, one: string, many = `${one}s`): string =>
  count === 1 ? one : many

/** A count with its noun, such as "1 place" or "1,200 places". */
export const formatCount = (count: number, one: string, many?: string): string =>
  `${formatNumber(count)} ${pluralise(count, one, many)}`
