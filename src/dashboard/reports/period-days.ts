import { cutoffDate } from '../../model/age.ts'
import type { FilterProperty, ListFilter } from '../filters/filter.ts'
import { type Period, periodDays } from '../filters/periods.ts'
import { addDays, type Ends } from '../ui/value-kinds.ts'

/** The period of a report: computed when the page opens, or a first and a last day. */
export type ReportPeriod = Period | Ends

/**
 * The days of a report's period; all days without a period. With a comparison, a period
 * ends today at the latest, because the year before would otherwise be longer.
 */
export function reportDays(
  period: ReportPeriod | undefined,
  today: string,
  isCompared: boolean,
): Ends {
  const days = typeof period === 'string' ? periodDays(period, today) : { ...period }
  return isCompared ? { ...days, to: earlier(days.to, today) } : days
}

/** The days of the same period a year earlier. */
export function daysBefore(period: ReportPeriod | undefined, today: string): Ends {
  const before = typeof period === 'string' ? period : period && shiftEnds(period)
  return reportDays(before, yearBefore(today), true)
}

/** Filters with the days that they name for a property a year earlier. Periods and ages follow the day on which they are computed. */
export const shiftFilters = (
  filters: readonly ListFilter[],
  date: FilterProperty | undefined,
): ListFilter[] =>
  filters.map((filter) =>
    filter.property.name === date?.name
      ? { ...filter, ...shiftEnds(filter), values: filter.values.map(shiftDay) }
      : filter,
  )

/** The same day, or time, a year earlier; 28 February for the 29th. */
const shiftDay = (value: string) =>
  value === '' ? '' : yearBefore(value.slice(0, 10)) + value.slice(10)

const shiftEnds = ({ from, to }: Ends): Ends => ({
  from: from && yearBefore(from),
  to: to && shiftLastDay(to),
})

/** The last day of a range a year earlier: the end of a month stays the end of a month. */
function shiftLastDay(day: string): string {
  const next = addDays(day, 1)
  return next.endsWith('-01') ? addDays(yearBefore(next), -1) : yearBefore(day)
}

const yearBefore = (day: string) => cutoffDate('1 year', day)

const earlier = (one: string | undefined, other: string) =>
  one !== undefined && one < other ? one : other
