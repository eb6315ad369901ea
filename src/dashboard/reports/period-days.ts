import { cutoffDate } from '../../model/age.ts'
import type { Days } from '../records/list/filter-days.ts'
import { type Period, periodDays } from '../records/list/periods.ts'

/**
 * Returns the days of a report's period; all days without a period. With a comparison, a period
 * ends today at the latest, because the year before would otherwise be longer.
 */
export function reportDays(period: Period | undefined, today: string, isCompared: boolean): Days {
  const days: Days = period ? periodDays(period, today) : {}
  return isCompared ? { ...days, to: earlier(days.to, today) } : days
}

/** Returns the days of the same period a year earlier. */
export function daysBefore(period: Period | undefined, today: string): Days {
  return reportDays(period, cutoffDate('1 year', today), true)
}

const earlier = (one: string | undefined, other: string) =>
  one !== undefined && one < other ? one : other
