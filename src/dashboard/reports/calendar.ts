import { englishWords, formatMonths, formatShortDay } from '../../model/dates.ts'
import type { BucketName } from '../../model/summary/buckets.ts'
import { addDays } from '../ui/value-kinds.ts'

/** A bucket of dates that is not an age. */
export type CalendarBucket = Exclude<BucketName, 'age'>

type CalendarRules = {
  label: string
  /** The name of a group, such as "Mar 2026". */
  describe(group: string): string
  /** The first and the last day of a group; absent if a group has no range of days. */
  days?(group: string): { from: string; to: string }
}

/** How reports show the groups of each bucket, in the order of the choice. */
export const calendar: Readonly<Record<CalendarBucket, CalendarRules>> = {
  month: {
    label: 'Month',
    describe: (group) => formatMonths(yearOf(group), monthOf(group)),
    days: (group) => monthsFrom(yearOf(group), monthOf(group), 1),
  },
  quarter: {
    label: 'Quarter',
    describe: (group) => formatMonths(yearOf(group), quarterStart(group), quarterStart(group) + 2),
    days: (group) => monthsFrom(yearOf(group), quarterStart(group), 3),
  },
  year: {
    label: 'Year',
    describe: (group) => group,
    days: (group) => monthsFrom(group, 1, 12),
  },
  financialYear: {
    label: 'Financial year',
    describe: (group) => group,
    days: (group) => monthsFrom(yearOf(group), 4, 12),
  },
  week: {
    label: 'Week',
    describe: (group) => `Week of ${formatShortDay(mondayOf(group))}`,
    days: (group) => ({ from: mondayOf(group), to: addDays(mondayOf(group), 6) }),
  },
  day: {
    label: 'Day',
    describe: formatShortDay,
    days: (group) => ({ from: group, to: group }),
  },
  weekday: {
    label: 'Day of the week',
    describe: (group) => englishWords.weekdays[Number(group) % 7] ?? group,
  },
}

const yearOf = (group: string) => group.slice(0, 4)
const monthOf = (group: string) => Number(group.slice(5))
const quarterStart = (group: string) => 3 * Number(group.slice(6)) - 2

function monthsFrom(year: string, first: number, count: number): { from: string; to: string } {
  const start = (month: number) =>
    new Date(Date.UTC(Number(year), month - 1, 1)).toISOString().slice(0, 10)
  return { from: start(first), to: addDays(start(first + count), -1) }
}

/** The Monday of an ISO week such as `2026-W05`. The first week of a year has 4 January. */
function mondayOf(group: string): string {
  const fourth = `${yearOf(group)}-01-04`
  const daysSinceMonday = (new Date(`${fourth}T00:00:00Z`).getUTCDay() + 6) % 7
  return addDays(fourth, 7 * (Number(group.slice(6)) - 1) - daysSinceMonday)
}
