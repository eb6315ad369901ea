import { formatCount } from '../../platform/pluralise.ts'
import type { ListFilter } from '../filters/filter.ts'
import type { Grouping } from './grouping.ts'

/** A group of a report. */
export type ReportRow = {
  label: string
  count: number
  /** The number in the year before. */
  before?: number
  /** The numbers by the values of the second grouping. */
  split: readonly number[]
  /** The filters of a list of the group's records; undefined if no list shows them. */
  filters?: readonly ListFilter[] | undefined
}

/** The maximum number of months, quarters or years in a row of groups without gaps. */
const maxSteps = 60

/** The keys of groups in order: dates and ages ascending, values by frequency, and no value last. */
export function sortKeys({ unit }: Grouping, byKey: ReadonlyMap<string, number>): string[] {
  const keys = [...byKey.keys()].filter((key) => key !== '')
  const count = (key: string) => byKey.get(key) ?? 0
  const sorted = unit
    ? keys.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    : keys.toSorted((one, other) => count(other) - count(one) || (one < other ? -1 : 1))
  return byKey.has('') ? [...sorted, ''] : sorted
}

/** Adds the months, quarters or years between the first and the last group, unless there are many. */
export function addEmptyGroups(
  { unit }: Grouping,
  byKey: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const keys = [...byKey.keys()].filter((key) => key !== '').toSorted()
  const [first = '', last = ''] = [keys[0], keys.at(-1)]
  if (unit === undefined || unit === 'age' || first === '') return byKey
  const complete = new Map(byKey)
  let steps = 0
  for (let key = first; key < last; key = nextKey(key)) {
    if (steps++ > maxSteps) return byKey
    if (!complete.has(key)) complete.set(key, 0)
  }
  return complete
}

/** The key after a month, a quarter or a year. */
function nextKey(key: string): string {
  const [year = '', part = ''] = key.split('-')
  const next = String(Number(year) + 1)
  if (part === '') return next
  if (part.startsWith('Q')) return part === 'Q4' ? `${next}-Q1` : `${year}-Q${Number(part[1]) + 1}`
  return part === '12' ? `${next}-01` : `${year}-${String(Number(part) + 1).padStart(2, '0')}`
}

/** Joins the rows beyond a number into one. */
export function joinLastRows(rows: readonly ReportRow[], maxRows: number): ReportRow[] {
  if (rows.length <= maxRows) return [...rows]
  const others = rows.slice(maxRows - 1)
  const sum = (read: (row: ReportRow) => number) =>
    others.reduce((total, row) => total + read(row), 0)
  return [
    ...rows.slice(0, maxRows - 1),
    {
      label: formatCount(others.length, 'other'),
      count: sum(({ count }) => count),
      ...(others[0]?.before !== undefined && { before: sum(({ before = 0 }) => before) }),
      split: (others[0]?.split ?? []).map((_, index) => sum(({ split }) => split[index] ?? 0)),
    },
  ]
}
