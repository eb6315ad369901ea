import type { Seeded } from './seeded.ts'

// Days are `YYYY-MM-DD` and times `YYYY-MM-DDTHH:mm:ss.sssZ`, so that both compare as texts.

const dayInMilliseconds = 24 * 60 * 60 * 1000

export const dayOf = (time: string) => time.slice(0, 10)

/** The time of `day` at `hour`, an `HH:mm` in UTC. */
export const at = (day: string, hour: string) => `${day}T${hour}:00.000Z`

export const daysAfter = (day: string, days: number) =>
  dayOf(new Date(Date.parse(day) + days * dayInMilliseconds).toISOString())

/** The same day of the month `months` later, or its 28th where the day is later than that. */
export function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return dayOf(new Date(Date.UTC(year, month - 1 + months, Math.min(date, 28))).toISOString())
}

export const minutesAfter = (time: string, minutes: number) =>
  new Date(Date.parse(time) + minutes * 60_000).toISOString()

export const earlier = (one: string, other: string) => (one < other ? one : other)

export const later = (one: string, other: string) => (one > other ? one : other)

/** Compares days or times for a list with the earliest first. */
export const earliestFirst = (one: string, other: string) =>
  Number(one > other) - Number(one < other)

/** A day from `from` to `to`, both included. */
export function dayWithin(random: Seeded, from: string, to: string): string {
  const days = (Date.parse(to) - Date.parse(from)) / dayInMilliseconds
  return daysAfter(from, random.integer(0, days))
}

/** A minute of `day` at which an office is open. */
export const officeTime = (random: Seeded, day: string) =>
  minutesAfter(at(day, '09:00'), random.integer(0, 8 * 60 - 1))
