import { cutoffDate } from '../../../model/age.ts'
import type { ListFilter } from './list-filters.ts'
import { addDays, periodDays } from './periods.ts'

/** The first and the last day of a range; an open end has none. */
export type Days = { from?: string | undefined; to?: string | undefined }

/** Returns the range of a filter: that of its days or numbers, its period or its ages; undefined without any. `today` is a day in UK time. */
export function filterDays(filter: ListFilter, today: string): Days | undefined {
  const { from, to, period, minAge, maxAge } = filter
  if (from || to) return { from, to }
  if (period) return periodDays(period, today)
  if (!minAge && !maxAge) return undefined
  return birthDays({ min: Number(minAge ?? 0), max: maxAge ? Number(maxAge) : undefined }, today)
}

/** Returns the first and the last day on which the people of some ages were born. */
export const birthDays = (
  { min, max }: { min: number; max: number | undefined },
  today: string,
): Days => ({
  from: max === undefined ? undefined : addDays(lastBirthDay(max + 1, today), 1),
  to: lastBirthDay(min, today),
})

/** Returns the birth day of the youngest people of an age. */
const lastBirthDay = (age: number, today: string) =>
  age === 0 ? today : cutoffDate(`${age} years`, today)
