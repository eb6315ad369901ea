import type { Grouping } from './grouping.ts'
import type { Measured } from './measure.ts'

/** The maximum number of months, quarters or years in a row of groups without gaps. */
const maxSteps = 60

/**
 * The keys of groups in order: dates and ages ascending, values by their result with the highest first, and
 * no value last.
 */
export function sortKeys({ unit }: Grouping, results: ReadonlyMap<string, Measured>): string[] {
  const keys = [...results.keys()].filter((key) => key !== '')
  const result = (key: string) => results.get(key) ?? Number.NEGATIVE_INFINITY
  const sorted = unit
    ? keys.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    : keys.toSorted((one, other) => result(other) - result(one) || (one < other ? -1 : 1))
  return results.has('') ? [...sorted, ''] : sorted
}

/** Adds the months, quarters or years between the first and the last group, unless there are many. */
export function addEmptyGroups({ unit }: Grouping, keys: readonly string[]): readonly string[] {
  const sorted = keys.filter((key) => key !== '').toSorted()
  const [first = '', last = ''] = [sorted[0], sorted.at(-1)]
  if (unit === undefined || unit === 'age' || first === '') return keys
  const complete = new Set(keys)
  let steps = 0
  for (let key = first; key < last; key = nextKey(key)) {
    if (steps++ > maxSteps) return keys
    complete.add(key)
  }
  return [...complete]
}

/** The key after a month, a quarter or a year. */
function nextKey(key: string): string {
  const [year = '', part = ''] = key.split('-')
  const next = String(Number(year) + 1)
  if (part === '') return next
  if (part.startsWith('Q')) return part === 'Q4' ? `${next}-Q1` : `${year}-Q${Number(part[1]) + 1}`
  return part === '12' ? `${next}-01` : `${year}-${String(Number(part) + 1).padStart(2, '0')}`
}
