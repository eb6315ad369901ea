import { cutoffDate } from '../../model/age.ts'
import { countGroups } from '../../resources/count-groups.ts'
import type { Store } from '../../store/store.ts'
import type { Days } from '../records/list/filter-days.ts'
import { toFilterExpression } from '../records/list/filter-expression.ts'
import type { ListFilter } from '../records/list/list-filters.ts'
import { describeGroup, type Grouping, groupKey, nextYearKey, toGroupFilter } from './grouping.ts'
import { narrowFilters } from './narrow-filters.ts'
import { daysBefore, reportDays } from './period-days.ts'
import type { ReportQuery } from './report-query.ts'
import { addEmptyGroups, joinLastRows, type ReportRow, sortKeys } from './sort-groups.ts'

/** The counts of a report. */
export type Report = {
  rows: readonly ReportRow[]
  /** The number of records. A record with several values has several groups, and counts once here. */
  total: number
  totalBefore: number | undefined
  /** The labels of the second grouping. */
  splits: readonly string[]
  days: Days
  daysBefore: Days | undefined
}

/** The maximum numbers of values of a field and of columns of a second grouping. */
const [maxValues, maxSplits] = [40_000, 6]

/** Counts the records of a report in at most `maxRows` groups; the last one joins all others. Throws 400 if it would read too much. `today` is a day in UK time. */
export async function countReport(
  store: Store,
  query: ReportQuery,
  { today, maxRows }: { today: string; maxRows: number },
): Promise<Report> {
  const { period, isCompared, by, split } = query
  const days = reportDays(period, today, isCompared)
  const before = isCompared ? daysBefore(period, today) : undefined
  const filters = listConditions(query, days)
  const count = (grouping: Grouping, counted: readonly ListFilter[], day = today) =>
    countKeys(store, query.countable.collection, grouping, { filters: counted, today: day })
  const [counts, countsBefore, splitCounts] = await Promise.all([
    count(by, filters),
    // Ages and periods are those of a year ago.
    before && count(by, listConditions(query, before), cutoffDate('1 year', today)),
    split && count(split, filters),
  ])
  const columns =
    split && splitCounts
      ? listColumns(split, splitCounts.byKey).map((key) => ({
          label: describeGroup(split, key),
          filter: toGroupFilter(split, key, today),
        }))
      : []
  const parts = await Promise.all(columns.map(({ filter }) => count(by, [...filters, filter])))
  const isShifted = by.property.name === query.date?.name
  const beforeByKey = new Map(
    [...(countsBefore?.byKey ?? [])].map(([key, value]) => [
      isShifted ? nextYearKey(by, key) : key,
      value,
    ]),
  )
  const byKey = new Map([
    ...[...beforeByKey.keys()].map((key) => [key, 0] as const),
    ...counts.byKey,
  ])
  const rows = sortKeys(by, addEmptyGroups(by, byKey)).map(
    (key): ReportRow => ({
      label: describeGroup(by, key),
      count: byKey.get(key) ?? 0,
      ...(before && { before: beforeByKey.get(key) ?? 0 }),
      split: parts.map((part) => part.byKey.get(key) ?? 0),
      filters: narrowFilters([...filters, toGroupFilter(by, key, today)], today),
    }),
  )
  return {
    rows: joinLastRows(rows, maxRows),
    total: counts.total,
    totalBefore: countsBefore?.total,
    splits: columns.map(({ label }) => label),
    ...{ days, daysBefore: before },
  }
}

/** Returns the filters of a report in a range of days. */
const listConditions = (
  { date, filters, conditions }: ReportQuery,
  { from, to }: Days,
): ListFilter[] => [
  ...filters,
  ...conditions,
  ...(date && (from || to) ? [{ property: date, values: [], from, to }] : []),
]

/** Returns the groups that become columns: the latest dates, otherwise the most frequent values. */
function listColumns(split: Grouping, byKey: ReadonlyMap<string, number>): string[] {
  const keys = sortKeys(split, byKey).filter((key) => key !== '')
  return split.unit && split.unit !== 'age' ? keys.slice(-maxSplits) : keys.slice(0, maxSplits)
}

type KeyCounts = { byKey: Map<string, number>; total: number }

async function countKeys(
  store: Store,
  collection: string,
  grouping: Grouping,
  { filters, today }: { filters: readonly ListFilter[]; today: string },
): Promise<KeyCounts> {
  const { groups, missing, total } = await countGroups(store, collection, {
    ...{ by: grouping.property.name, limit: maxValues, filters: [] },
    filter: toFilterExpression(filters, today),
  })
  const byKey = new Map<string, number>()
  for (const { value, count } of [...groups, { value: '', count: missing }]) {
    const key = groupKey(grouping, value, today)
    if (count > 0) byKey.set(key, (byKey.get(key) ?? 0) + count)
  }
  return { byKey, total }
}
