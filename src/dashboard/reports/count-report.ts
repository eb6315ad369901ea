import { cutoffDate } from '../../model/age.ts'
import type { Predicate } from '../../model/query/predicate.ts'
import { formatCount } from '../../platform/pluralise.ts'
import { countGroups } from '../../resources/group-records.ts'
import { maxRowsRead } from '../../store/bitmap/matches.ts'
import type { RowBudget } from '../../store/query/query-reader.ts'
import type { GroupQuery } from '../../store/read/groups.ts'
import type { Store } from '../../store/store.ts'
import type { ListFilter } from '../filters/filter.ts'
import { toFilterExpression } from '../filters/filters.ts'
import type { Ends } from '../ui/value-kinds.ts'
import { findCounted } from './counted.ts'
import { describeGroup, type Grouping, groupKeys, nextYearKey, toGroupFilter } from './grouping.ts'
import type { Measured, MeasuredGroups } from './measure.ts'
import { narrowFilters } from './narrow-filters.ts'
import { daysBefore, reportDays, shiftFilters } from './period-days.ts'
import type { ReportQuery } from './report-query.ts'
import { addEmptyGroups, sortKeys } from './sort-groups.ts'

/** A group of a report, or the groups beyond the last row. */
export type ReportRow = {
  label: string
  result: Measured
  /** The result of the year before. */
  before?: Measured
  /** The results by the values of the second grouping. */
  split: readonly Measured[]
  /** The filters of a list of the group's records; undefined if no list shows them. */
  filters?: readonly ListFilter[] | undefined
}

/** The results of a report. */
export type Report = {
  /** The groups in at most `maxRows` rows, of which the last one measures all others together. */
  rows(maxRows: number): ReportRow[]
  /** The result for all records. A record with several values has several groups, and counts once here. */
  total: Measured
  totalBefore: Measured | undefined
  /** The number of bookings that do not count because nobody marked them; undefined for a report of anything else. */
  notMarked: number | undefined
  /** The groups of the second grouping, each with the result for its records. */
  splits: readonly { label: string; total: Measured }[]
  days: Ends
  daysBefore: Ends | undefined
}

const maxValues = 40_000
/** The maximum number of columns of a second grouping. */
const maxSplits = 6

type ReportOptions = {
  today: string
  /** The maximum number of rows to show, which are all that need labels. */
  maxRows: number
  /** The titles of the records to which the keys of a grouping refer. */
  findTitles?: (grouping: Grouping, keys: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

/**
 * Measures the records of a report. `today` is a day in UK time. A report with several reads makes them one
 * after another, so that it can throw 400 before they read more than 200,000 rows together.
 */
export async function countReport(
  store: Store,
  query: ReportQuery,
  { today, maxRows, findTitles = async () => new Map() }: ReportOptions,
): Promise<Report> {
  const { countable, period, isCompared, by, split } = query
  const days = reportDays(period, today, isCompared)
  const before = isCompared ? daysBefore(period, today) : undefined
  const filters = listConditions(query, days)
  const isSeveral = before || split || countable.name === 'attendances'
  const budget = isSeveral
    ? {
        maxRows: maxRowsRead,
        rowsBefore: store.cost.rowsRead,
        advice: 'Group by one field, add a filter, or choose a shorter period.',
      }
    : undefined
  const { counted, notMarked } = await findCounted(store, countable, { today, days, budget })
  const now: Selection = { filters, today, condition: counted, budget }
  const groups = await measureGroups(store, query, by, now)
  const unmarked = notMarked && (await countRecords(store, query, { ...now, condition: notMarked }))
  const groupsBefore =
    before && (await measureBefore(store, query, { today, days: before, budget }))
  const loadLabels: LoadLabels = async (grouping, keys) => {
    const titles = await findTitles(grouping, keys)
    return (key) => titles.get(key) ?? describeGroup(grouping, key)
  }
  const columns = split ? await measureColumns(store, query, split, now, loadLabels) : []
  const keys = listKeys(by, groups, groupsBefore)
  const label = await loadLabels(by, keys.slice(0, maxRows))
  const buildRow = (label: string, rowKeys: readonly string[]): ReportRow => ({
    label,
    result: groups.measure(rowKeys),
    ...(groupsBefore && { before: groupsBefore.measure(rowKeys) }),
    split: columns.map((column) => column.groups.measure(rowKeys)),
  })
  const findRecords = (key: string) =>
    narrowFilters([...filters, ...query.conditions, toGroupFilter(by, key, today)], today)
  return {
    rows(max) {
      const shown = keys.length > max ? keys.slice(0, max - 1) : keys
      const others = keys.slice(shown.length)
      const rows = shown.map((key) => ({
        ...buildRow(label(key), [key]),
        filters: findRecords(key),
      }))
      return others.length === 0
        ? rows
        : [...rows, buildRow(formatCount(others.length, 'other'), others)]
    },
    total: groups.total,
    totalBefore: groupsBefore?.total,
    notMarked: countable.name === 'attendances' ? (unmarked ?? 0) : undefined,
    splits: columns.map(({ label, groups }) => ({ label, total: groups.total })),
    days,
    daysBefore: before,
  }
}

/** Loads the labels of groups. */
type LoadLabels = (grouping: Grouping, keys: readonly string[]) => Promise<(key: string) => string>

/** A group of the second grouping, and the groups of the first among its records. */
type Column = { label: string; groups: MeasuredGroups }

async function measureColumns(
  store: Store,
  query: ReportQuery,
  split: Grouping,
  selection: Selection,
  loadLabels: LoadLabels,
): Promise<Column[]> {
  const { filters, today } = selection
  const keys = listColumns(split, await measureGroups(store, query, split, selection))
  const label = await loadLabels(split, keys)
  const columns: Column[] = []
  for (const key of keys) {
    const inColumn = { ...selection, filters: [...filters, toGroupFilter(split, key, today)] }
    columns.push({
      label: label(key),
      groups: await measureGroups(store, query, query.by, inColumn),
    })
  }
  return columns
}

/** Which records a read measures. */
type Selection = {
  filters: readonly ListFilter[]
  today: string
  condition: Predicate | undefined
  budget: RowBudget | undefined
}

const toGroupQuery = (
  grouping: Grouping,
  { filters, today, condition, budget }: Selection,
): GroupQuery => ({
  by: grouping.property.name,
  limit: maxValues,
  filters: [],
  filter: toFilterExpression(filters, today),
  condition,
  budget,
})

const measureGroups = (
  store: Store,
  { countable, measure }: ReportQuery,
  grouping: Grouping,
  selection: Selection,
): Promise<MeasuredGroups> =>
  measure.readGroups(
    store,
    countable.collection,
    toGroupQuery(grouping, selection),
    groupKeys(grouping, selection.today),
  )

/** Counts records; the report may measure something else. */
async function countRecords(store: Store, { countable, by }: ReportQuery, selection: Selection) {
  const { total } = await countGroups(store, countable.collection, toGroupQuery(by, selection))
  return total
}

/**
 * Measures the groups of the year before, when ages and periods were those of then. Groups of the date that
 * the report compares by have the keys of the year after, beside which they are shown.
 */
async function measureBefore(
  store: Store,
  query: ReportQuery,
  { today, days, budget }: { today: string; days: Ends; budget: RowBudget | undefined },
): Promise<MeasuredGroups> {
  const { countable, measure, by, filters, date } = query
  const yearBefore = cutoffDate('1 year', today)
  const { counted } = await findCounted(store, countable, { today: yearBefore, days, budget })
  const groupQuery = toGroupQuery(by, {
    filters: listConditions({ ...query, filters: shiftFilters(filters, date) }, days),
    today: yearBefore,
    condition: counted,
    budget,
  })
  const isShifted = by.property.name === date?.name
  const toKey = groupKeys(by, yearBefore)
  return measure.readGroups(store, countable.collection, groupQuery, (value) => {
    const key = toKey(value)
    return isShifted ? nextYearKey(by, key) : key
  })
}

/** The filters of a report in a range of days. */
const listConditions = ({ date, filters }: ReportQuery, { from, to }: Ends): ListFilter[] => [
  ...filters,
  ...(date && (from || to) ? [{ property: date, values: [], from, to }] : []),
]

/** The keys of all groups in order, also of groups with records in the year before only. */
function listKeys(
  by: Grouping,
  groups: MeasuredGroups,
  groupsBefore: MeasuredGroups | undefined,
): string[] {
  const keys = [...new Set([...groups.keys, ...(groupsBefore?.keys ?? [])])]
  return sortKeys(by, measureEach(groups, addEmptyGroups(by, keys)))
}

/** The groups that become columns: the latest dates, otherwise the values with the highest results. */
function listColumns(split: Grouping, groups: MeasuredGroups): string[] {
  const keys = sortKeys(split, measureEach(groups, groups.keys)).filter((key) => key !== '')
  return split.unit && split.unit !== 'age' ? keys.slice(-maxSplits) : keys.slice(0, maxSplits)
}

const measureEach = ({ measure }: MeasuredGroups, keys: readonly string[]) =>
  new Map(keys.map((key) => [key, measure([key])]))
