import { ageOn, cutoffDate } from '../age.ts'
import { londonDay } from '../timestamp.ts'

/*
 * Summaries group dates by buckets, such as the month of a date or the age of a person born on it. A time counts on
 * its UK day.
 */

/** The names of buckets, as `$by` spells them: `month(date)`. */
export const bucketNames = [
  'day',
  'week',
  'month',
  'quarter',
  'year',
  'financialYear',
  'weekday',
  'age',
] as const

export type BucketName = (typeof bucketNames)[number]

/** The day on which ages are counted, and the first age of each band. */
export type Ages = { today: string; bands: readonly number[] }

/** The first ages of the bands of ten years. */
export const tenYears: readonly number[] = Array.from({ length: 13 }, (_, decade) => 10 * decade)

/** The UK day of a date or a time. */
export const londonDayOf = (value: string): string => (value.length > 10 ? londonDay(value) : value)

export const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)

/** The bucket of a date or a time; undefined for any other text, and for a date of birth in the future. */
export function findBucket(name: BucketName, value: string, ages: Ages): string | undefined {
  const day = londonDayOf(value)
  const [, year = '', month = ''] = /^(\d{4})-(\d\d)-\d\d$/.exec(day) ?? []
  if (year === '') return undefined
  switch (name) {
    case 'day':
      return day
    case 'week':
      return isoWeek(day)
    case 'month':
      return `${year}-${month}`
    case 'quarter':
      return `${year}-Q${Math.ceil(Number(month) / 3)}`
    case 'year':
      return year
    case 'financialYear':
      return financialYear(Number(month) < 4 ? Number(year) - 1 : Number(year))
    case 'weekday':
      return isoWeekday(day)
    case 'age':
      return ageBand(day, ages)
  }
}

/** The same bucket a year later. Weekdays and ages stay the same. */
export function nextYear(name: BucketName, bucket: string): string {
  if (name === 'weekday' || name === 'age') return bucket
  const next = Number(bucket.slice(0, 4)) + 1
  return name === 'financialYear' ? financialYear(next) : `${next}${bucket.slice(4)}`
}

/** The same day a year earlier, 28 February for the 29th; of a time only the day changes. */
export const yearBefore = (text: string): string =>
  cutoffDate('1 year', text.slice(0, 10)) + text.slice(10)

/** The last day of a period a year earlier: the end of February stays the end of February. */
export function lastDayBefore(day: string): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  if (date !== daysInMonth(year, month)) return yearBefore(day)
  return yearBefore(day).slice(0, 8) + daysInMonth(year - 1, month)
}

const daysInMonth = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** The year from 1 April, such as `2026/27`. */
const financialYear = (start: number) => `${start}/${String((start + 1) % 100).padStart(2, '0')}`

/** The week from Monday, as ISO 8601 numbers it: `2026-W01` has the first Thursday of the year. */
function isoWeek(day: string): string {
  const thursday = new Date(`${day}T00:00:00Z`)
  thursday.setUTCDate(thursday.getUTCDate() + 4 - Number(isoWeekday(day)))
  const year = thursday.getUTCFullYear()
  const daysInYear = (thursday.getTime() - Date.UTC(year, 0, 1)) / 86_400_000
  return `${year}-W${String(1 + Math.floor(daysInYear / 7)).padStart(2, '0')}`
}

/** The day of the week, as ISO 8601 numbers it: from `1` for Monday to `7`. */
const isoWeekday = (day: string) => String(new Date(`${day}T00:00:00Z`).getUTCDay() || 7)

/** The band of an age, such as `25-64` or `65+`. */
function ageBand(birthDay: string, { today, bands }: Ages): string | undefined {
  const age = ageOn(today, birthDay)
  if (age === undefined) return undefined
  const index = bands.findLastIndex((first) => first <= age)
  const [first = 0, next] = index < 0 ? [0, bands[0]] : bands.slice(index, index + 2)
  return next === undefined ? `${first}+` : `${first}-${next - 1}`
}

/** The birth days of a band of ages: those after a day, up to another one. */
export type AgeRange = { after: string; upTo: string }

/** The ranges of birth days of the bands. A day of birth in the future is in none. */
export function rangesOfAges({ today, bands }: Ages): AgeRange[] {
  const bornAt = (age: number) =>
    `${String(Number(today.slice(0, 4)) - age).padStart(4, '0')}${today.slice(4)}`
  const firstAges = [...new Set([0, ...bands])]
  return firstAges.map((first, index) => {
    const next = firstAges[index + 1]
    return { after: next === undefined ? '' : bornAt(next), upTo: bornAt(first) }
  })
}
