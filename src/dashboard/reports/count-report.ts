import { cutoffDate } from '../../model/age.ts'
import type { Predicate } from '../../model/query/predicate.ts'
import { maxRowsRead } from '../../store/bitmap/matches.ts'
import type { RowBudget } from '../../store/query/query-reader.ts'
import type { Store } from '../../store/store.ts'
import type { ListFilter } from '../filters/filter.ts'
import { toFilterExpression } from '../filters/filters.ts'
import type { Ends } from '../ui/value-kinds.ts'
import { findCounted } from './counted.ts'
import { describeGroup, type Grouping, groupKey, nextYearKey, toGroupFilter } from './grouping.ts'
import { narrowFilters } from './narrow-filters.ts'
import { daysBefore, reportDays, shiftFilters } from './period-days.ts'
import type { ReportQuery } from './report-query.ts'
import { addEmptyGroups, joinLastRows, type ReportRow, sortKeys } from './sort-groups.ts'

/** The counts of a report. */
export type Report = {
  rows: readonly ReportRow[]
  /** The number of records. A record with several values has several groups, and counts once here. */
  total: number
  totalBefore: number | undefined
  /** The number of bookings that do not count because nobody marked them; undefined for a report of anything else. */
  notMarked: number | undefined
  /** The groups of the second grouping, each with its number of records. */
  splits: readonly { label: string; total: number }[]
  days: Ends
  daysBefore: Ends | undefined
}

const maxValues = 40_000
/** The maximum number of columns of a second grouping. */
const maxSplits = 6

type ReportOptions = {
  today: string
  maxRows: number
  /** The titles of the records to which the keys of a grouping refer. */
  findTitles?: (grouping: Grouping, keys: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

/**
 * Counts the records of a report in at most `maxRows` groups; the last one joins all others. `today` is a day in UK
 * time. A report of several counts makes them one after another, so that it can throw 400 before they read more than
 * 200,000 rows together.
 */
export async function countReport(
  store: Store,
  query: ReportQuery,
  { today, maxRows, findTitles = async () => new Map() }: ReportOptions,
): Promise<Report> {
  const { period, isCompared, by, split } = query
  const days = reportDays(period, today, isCompared)
  const before = isCompared ? daysBefore(period, today) : undefined
  const filters = listConditions(query, days)
  const { countable } = query
  const isSeveral = before || split || countable.name === 'attendances'
  const budget = isSeveral
    ? {
        maxRows: maxRowsRead,
        rowsBefore: store.cost.rowsRead,
        advice: 'Group by one field, add a filter, or choose a shorter period.',
      }
    : undefined
  const { counted, notMarked } = await findCounted(store, countable, { today, days, budget })
  const count = (grouping: Grouping, filters: readonly ListFilter[], condition = counted) =>
    countKeys(store, query, grouping, { filters, today, condition, budget })
  const counts = await count(by, filters)
  const unmarked = notMarked && (await count(by, filters, notMarked))
  const countsBefore = before && (await countBefore(store, query, { today, days: before, budget }))
  const splitCounts = split && (await count(split, filters))
  const describe = async (grouping: Grouping, keys: readonly string[]) => {
    const titles = await findTitles(grouping, keys)
    return (key: string) => titles.get(key) ?? describeGroup(grouping, key)
  }
  const splitKeys = split && splitCounts ? listColumns(split, splitCounts.byKey) : []
  const labelSplit = split && (await describe(split, splitKeys))
  const columns = splitKeys.flatMap((key) =>
    split && labelSplit
      ? [{ label: labelSplit(key), filter: toGroupFilter(split, key, today) }]
      : [],
  )
  const parts: KeyCounts[] = []
  for (const { filter } of columns) parts.push(await count(by, [...filters, filter]))
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
  const keys = sortKeys(by, addEmptyGroups(by, byKey))
  const label = await describe(by, keys.slice(0, maxRows))
  const rows = keys.map(
    (key): ReportRow => ({
      label: label(key),
      count: byKey.get(key) ?? 0,
      ...(before && { before: beforeByKey.get(key) ?? 0 }),
      split: parts.map((part) => part.byKey.get(key) ?? 0),
      filters: narrowFilters(
        [...filters, ...query.conditions, toGroupFilter(by, key, today)],
        today,
      ),
    }),
  )
  return {
    rows: joinLastRows(rows, maxRows),
    total: counts.total,
    totalBefore: countsBefore?.total,
    notMarked: countable.name === 'attendances' ? (unmarked?.total ?? 0) : undefined,
    splits: columns.map(({ label }, index) => ({ label, total: parts[index]?.total ?? 0 })),
    days,
    daysBefore: before,
  }
}

/** Counts the records of the year before, when ages and periods were those of then. */
async function countBefore(
  store: Store,
  query: ReportQuery,
  { today, days, budget }: { today: string; days: Ends; budget: RowBudget | undefined },
): Promise<KeyCounts> {
  const { countable, by, filters, date } = query
  const day = cutoffDate('1 year', today)
  const { counted } = await findCounted(store, countable, { today: day, days, budget })
  return countKeys(store, query, by, {
    filters: listConditions({ ...query, filters: shiftFilters(filters, date) }, days),
    today: day,
    condition: counted,
    budget,
  })
}

/** The filters of a report in a range of days. */
const listConditions = ({ date, filters }: ReportQuery, { from, to }: Ends): ListFilter[] => [
  ...filters,
  ...(date && (from || to) ? [{ property: date, values: [], from, to }] : []),
]

/** The groups that become columns: the latest dates, otherwise the most frequent values. */
function listColumns(split: Grouping, byKey: ReadonlyMap<string, number>): string[] {
  const keys = sortKeys(split, byKey).filter((key) => key !== '')
  return split.unit && split.unit !== 'age' ? keys.slice(-maxSplits) : keys.slice(0, maxSplits)
}

type KeyCounts = { byKey: Map<string, number>; total: number }

async function countKeys(
  store: Store,
  { countable, measure }: ReportQuery,
  grouping: Grouping,
  {
    filters,
    today,
    condition,
    budget,
  }: {
    filters: readonly ListFilter[]
    today: string
    condition: Predicate | undefined
    budget: RowBudget | undefined
  },
): Promise<KeyCounts> {
  const { groups, missing, total } = await measure.read(store, countable.collection, {
    by: grouping.property.name,
    limit: maxValues,
    filters: [],
    filter: toFilterExpression(filters, today),
    condition,
    budget,
  })
  const byKey = new Map<string, number>()
  for (const { value, count } of [...groups, { value: '', count: missing }]) {
    const key = groupKey(grouping, value, today)
    if (count > 0) byKey.set(key, (byKey.get(key) ?? 0) + count)
  }
  return { byKey, total }
}
