import { birthDays } from '../filters/ages.tsx'
import type { Ends } from '../ui/value-kinds.ts'

/** The first ages of the age groups. */
export const firstAges: readonly number[] = [0, 16, 18, 25, 35, 45, 55, 65, 75]

/** The first and the last day on which the people of an age group were born. A group is named as in summaries, such as `18-24` or `75+`. */
export function groupBirthDays(group: string, today: string): Ends {
  const { first, last } = parseGroup(group)
  return birthDays({ min: first, max: last }, today)
}

/** The name of an age group, such as "18 to 24". */
export function describeAges(group: string): string {
  const { first, last } = parseGroup(group)
  if (last === undefined) return `${first} and over`
  return first === 0 ? `Under ${last + 1}` : `${first} to ${last}`
}

function parseGroup(group: string): { first: number; last: number | undefined } {
  const [first = 0, last] = group.split(/[-+]/).filter(Boolean).map(Number)
  return { first, last }
}
