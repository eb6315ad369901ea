import { fromLondon } from './timestamp.ts'

const units = ['day', 'month', 'year'] as const

/** The spelling of an age: `90 days`, `18 months`, `7 years`. */
export const agePattern = /^([1-9]\d{0,2}|[1-9]\d{3,4}(?= day)) (day|month|year)s?$/

/** The first UK day that is not older than `age` on `today`. A day that does not exist becomes the last day of its month. */
export function cutoffDate(age: string, today: string): string {
  const { number, unit } = parseAge(age)
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number)
  if (unit === 'day') return toDay(year, month, day - number)
  const months = unit === 'year' ? 12 * number : number
  const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate()
  return toDay(year, month - months, Math.min(day, last))
}

/** Whether a date or time is before the start of a UK day; undefined for other values. */
export function isBefore(day: string, value: unknown): boolean | undefined {
  if (typeof value !== 'string' || !startsWithDate.test(value)) return undefined
  return value.length === day.length ? value < day : value < String(fromLondon(`${day}T00:00`))
}

const startsWithDate = /^\d{4}-\d\d-\d\d(T|$)/

/** The whole years on a day of a person who was born on `birthDay`; undefined before the birth. */
export function ageOn(day: string, birthDay: string): number | undefined {
  if (birthDay > day) return undefined
  const hadBirthday = birthDay.slice(5) <= day.slice(5)
  return Number(day.slice(0, 4)) - Number(birthDay.slice(0, 4)) - (hadBirthday ? 0 : 1)
}

export function parseAge(age: string): { number: number; unit: (typeof units)[number] } {
  const [, number, unit] = agePattern.exec(age) ?? []
  return { number: Number(number), unit: units.find((name) => name === unit) ?? 'day' }
}

const toDay = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
