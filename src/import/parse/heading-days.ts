import { type DateOrder, parseDate } from './dates.ts'

/** The day that a column heading names, in each order of day and month: `YYYY-MM-DD`, or `MM-DD` without a year. */
export type HeadingDay = Readonly<Record<DateOrder, string | undefined>> & {
  /** The weekday that the heading names, from 0 for Sunday. */
  weekday: number | undefined
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const weekdayFirst =
  /^(sun|mon|tue|wed|thu|fri|sat)(?:day|s|sday|nes|nesday|r|rs|rsday|ur|urday)?\.?,? +(?=\S)/i
const numericDay = /^\d{1,2}([-/])\d{1,2}$/
const namedDay =
  /^(?:\d{1,2}(?:st|nd|rd|th)?[- ]+(?:of +)?[a-z]{3,9}\.?|[a-z]{3,9}\.? +\d{1,2}(?:st|nd|rd|th)?)$/i

/** Parses a heading such as "Sat 4 Oct", 04/10, 4 October 2026 or 2026-10-04; undefined for any other heading. */
export function parseHeadingDay(heading: string): HeadingDay | undefined {
  // A repeated heading has a number.
  const text = heading.trim().replace(/ \(\d+\)$/, '')
  const [prefix = '', name] = weekdayFirst.exec(text) ?? []
  const weekday = name === undefined ? undefined : weekdays.indexOf(name.toLowerCase())
  const day = text.slice(prefix.length)
  const withYear = parseDate(day)
  if (withYear) return toDay(withYear, 0, weekday)
  const [, separator] = numericDay.exec(day) ?? []
  if (separator === undefined && !namedDay.test(day)) return undefined
  // A leap year, for 29 February.
  const withoutYear = parseDate(`${day}${separator ?? ' '}2000`)
  return withoutYear && toDay(withoutYear, 'YYYY-'.length, weekday)
}

const toDay = (
  date: Readonly<Record<DateOrder, string | undefined>>,
  start: number,
  weekday: number | undefined,
): HeadingDay => ({
  'day-first': date['day-first']?.slice(start),
  'month-first': date['month-first']?.slice(start),
  weekday,
})

/** A reading of headings as days. `year` is that of the earliest day, if some headings have no year. */
export type DayReading = { order: DateOrder; year: number | undefined; days: readonly string[] }

export type DayChoice = { order?: DateOrder | undefined; year?: number | undefined }

const orders: readonly DateOrder[] = ['day-first', 'month-first']

/** The years that headings without one may mean, from next year back. */
export const possibleYears = (today: string): number[] =>
  Array.from({ length: 10 }, (_, index) => Number(today.slice(0, 4)) + 1 - index)

/** Lists the possible readings of headings, the latest first: readings with days to come are the last. */
export function listDayReadings(
  headings: readonly HeadingDay[],
  { order, year }: DayChoice,
  today: string,
): DayReading[] {
  const readings = orders.flatMap((candidate): DayReading[] => {
    if (order !== undefined && order !== candidate) return []
    const texts = headings.flatMap((heading) => heading[candidate] ?? [])
    if (texts.length < headings.length) return []
    if (!texts.some(hasNoYear)) return [{ order: candidate, year: undefined, days: texts }]
    const years = year === undefined ? possibleYears(today) : [year]
    return years.map((first) => ({ order: candidate, year: first, days: addYears(texts, first) }))
  })
  const possible = readings.filter(({ days }) =>
    days.every((day, index) => isPossible(day, headings[index]?.weekday)),
  )
  const distinct = new Map(
    possible.toReversed().map((reading) => [reading.days.join(), reading] as const),
  )
  const isPast = ({ days }: DayReading) => days.every((day) => day <= today)
  return [...distinct.values()]
    .toReversed()
    .toSorted((one, other) => Number(isPast(other)) - Number(isPast(one)))
}

/**
 * Chooses the reading with the most of the given days; without these, the first. `isUnclear` says that another order of
 * day and month fits as well.
 */
export function chooseDayReading(
  readings: readonly DayReading[],
  known: ReadonlySet<string> = new Set(),
): { reading: DayReading; isUnclear: boolean } | undefined {
  const count = ({ days }: DayReading) => days.filter((day) => known.has(day)).length
  const most = Math.max(0, ...readings.map(count))
  const best = readings.filter((reading) => count(reading) === most)
  const [reading] = best
  return reading && { reading, isUnclear: best.some(({ order }) => order !== reading.order) }
}

const hasNoYear = (day: string) => day.length === 'MM-DD'.length

/**
 * Adds years to days in the order of their columns, which may begin with the latest: the order with the shorter period is
 * meant. The year changes with the first earlier day of the year.
 */
function addYears(days: readonly string[], firstYear: number): readonly string[] {
  const ascending = addAscendingYears(days, firstYear)
  const descending = addAscendingYears(days.toReversed(), firstYear)
  return periodOf(ascending) <= periodOf(descending) ? ascending : descending.toReversed()
}

function addAscendingYears(days: readonly string[], firstYear: number): readonly string[] {
  let year = firstYear
  let before = ''
  return days.map((day) => {
    if (!hasNoYear(day)) return day
    if (day < before) year++
    before = day
    return `${year}-${day}`
  })
}

const periodOf = (days: readonly string[]) =>
  Date.parse(days.at(-1) ?? '') - Date.parse(days[0] ?? '')

/** Whether a day exists and has its weekday. */
function isPossible(day: string, weekday: number | undefined): boolean {
  const date = new Date(`${day}T00:00:00.000Z`)
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day)) return false
  return weekday === undefined || date.getUTCDay() === weekday
}
