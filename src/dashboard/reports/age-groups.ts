import { cutoffDate } from '../../model/age.ts'
import { addDays } from '../records/list/periods.ts'

/** The first ages of the age groups. */
const firstAges = [0, 16, 18, 25, 35, 45, 55, 65, 75] as const

/** Returns the first age of the group of a person born on a day; undefined for a text that is no day before `today`. */
export function firstAgeOf(birthDay: string, today: string): number | undefined {
  const day = birthDay.slice(0, 10)
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && day <= today
  return isDay ? firstAges.findLast((age) => day <= lastBirthDay(age, today)) : undefined
}

/** Returns the first and the last day on which the people of an age group were born. */
export function birthDays(
  firstAge: number,
  today: string,
): { from?: string | undefined; to: string } {
  const next = nextAge(firstAge)
  return {
    from: next === undefined ? undefined : addDays(lastBirthDay(next, today), 1),
    to: lastBirthDay(firstAge, today),
  }
}

/** Returns the name of an age group, such as "18 to 24". */
export function describeAges(firstAge: number): string {
  const next = nextAge(firstAge)
  if (next === undefined) return `${firstAge} and over`
  return firstAge === 0 ? `Under ${next}` : `${firstAge} to ${next - 1}`
}

const nextAge = (firstAge: number) => firstAges.find((age) => age > firstAge)

/** Returns the birth day of the youngest people of an age. */
const lastBirthDay = (age: number, today: string) =>
  age === 0 ? today : cutoffDate(`${age} years`, today)
