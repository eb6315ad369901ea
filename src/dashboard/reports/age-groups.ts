import { birthDays } from '../filters/ages.tsx'
import type { Ends } from '../ui/value-kinds.ts'

/** The first ages of the age groups. */
const firstAges = [0, 16, 18, 25, 35, 45, 55, 65, 75] as const

/**
 * Returns a function that finds the first age of the group of a person born on a day; undefined for a text that
 * is no day up to `today`. A report calls it for every record.
 */
export function ageGrouper(today: string): (birthDay: string) => number | undefined {
  const groups = firstAges.map((age) => ({ age, lastDay: groupBirthDays(age, today).to ?? '' }))
  return (birthDay) => {
    const isDay = /^\d{4}-\d\d-\d\d$/.test(birthDay) && birthDay <= today
    return isDay ? groups.findLast(({ lastDay }) => birthDay <= lastDay)?.age : undefined
  }
}

/** The first and the last day on which the people of an age group were born. */
export function groupBirthDays(firstAge: number, today: string): Ends {
  const next = nextAge(firstAge)
  return birthDays({ min: firstAge, max: next && next - 1 }, today)
}

/** The name of an age group, such as "18 to 24". */
export function describeAges(firstAge: number): string {
  const next = nextAge(firstAge)
  if (next === undefined) return `${firstAge} and over`
  return firstAge === 0 ? `Under ${next}` : `${firstAge} to ${next - 1}`
}

const nextAge = (firstAge: number) => firstAges.find((age) => age > firstAge)
