import { measureOf } from '../../model/summary/parse-summary.ts'
import { formatCount } from '../../platform/pluralise.ts'
import { openBudget } from '../../store/query/query-reader.ts'
import type { Store } from '../../store/store.ts'
import {
  countOf,
  type Figures,
  figureOf,
  type SummaryFigures,
} from '../../store/summary/measure-groups.ts'
import type { ListFilter } from '../filters/filter.ts'
import type { Ends } from '../ui/value-kinds.ts'
import { describeGroup, type Grouping } from './grouping.ts'
import { hideSmallResults } from './hide-results.ts'
import type { Result } from './measures.ts'
import { daysBefore, reportDays } from './period-days.ts'
import {
  type PeriodRecords,
  type ReportedRecords,
  readPeriod,
  readYearBefore,
  type SameRecords,
} from './period-records.ts'
import { figuresAt, type ReportGroups } from './report-groups.ts'
import type { ReportQuery } from './report-query.ts'
import { addEmptyGroups, sortKeys } from './sort-groups.ts'
import { countTimes, type Times } from './times.ts'

/** A result, and the filters of a list of its records; undefined if no list shows them. */
export type ReportCell = { result: Result; filters?: readonly ListFilter[] | undefined }

/** A group of a report, or the groups beyond the last row. */
export type ReportRow = ReportCell & {
  label: string
  /** The year before. */
  before?: ReportCell
  /** The groups of the second grouping. */
  split: readonly ReportCell[]
}

/** The results of a report. */
export type Report = {
  /** The groups in at most `maxRows` rows, of which the last one measures all others together. */
  rows(maxRows: number): ReportRow[]
  /** The result for all records. A record with several values has several groups, and counts once here. */
  total: Result
  totalFilters: ReportCell['filters']
  totalBefore: ReportCell | undefined
  /** The groups of the second grouping, each with the result for its records. */
  splits: readonly (ReportCell & { label: string })[]
  counted: CountedRecords
  countedBefore: Pick<CountedRecords, 'records' | 'people'> | undefined
  /** How often people came; undefined unless the report counts people. */
  times: Times | undefined
  timesBefore: Times | undefined
  days: Ends
  daysBefore: Ends | undefined
}

/** The numbers that say what a report counted, and what it left out. */
export type CountedRecords = {
  records: Result
  /** The number of different people, and of records without a person; undefined unless the report counts people, and without any. */
  people: Result | undefined
  withoutPerson: ReportCell | undefined
  /** The number of records without a value to measure; undefined unless the report measures a property. */
  withoutValue: ReportCell | undefined
  /** The number of bookings that do not count because nobody marked them. */
  notMarked: Result
}

/** The maximum number of columns of a second grouping. */
const maxSplits = 7

export type ReportOptions = {
  today: string
  /** The maximum number of rows to show, which are all that need labels. */
  maxRows: number
  /** The titles of the records to which the keys of a grouping refer. */
  findTitles?: (grouping: Grouping, keys: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

/**
 * Measures the records of a report. `today` is a day in UK time. Makes its reads one after another, so that it can
 * throw 400 before they read more than 200,000 rows together.
 */
export async function countReport(
  store: Store,
  query: ReportQuery,
  options: ReportOptions,
): Promise<Report> {
  const { period, isCompared } = query
  const { today } = options
  const days = reportDays(period, today, isCompared)
  const budget = openReportBudget(store)
  const [now] = await readPeriod(store, [query], { today, days, budget })
  if (!isCompared) return buildReport(now, undefined, days, options)
  const earlierDays = daysBefore(period, today)
  const before = await readYearBefore(store, query, { today, days: earlierDays, budget })
  return buildReport(now, { ...before, days: earlierDays }, days, options)
}

/** Measures the same records for several reports without a comparison, and reads them once. */
export async function countReports(
  store: Store,
  queries: SameRecords,
  options: ReportOptions,
): Promise<Report[]> {
  const { today } = options
  const days = reportDays(queries[0].period, today, false)
  const budget = openReportBudget(store)
  const records = await readPeriod(store, queries, { today, days, budget })
  return Promise.all(records.map((now) => buildReport(now, undefined, days, options)))
}

/** The rows that a report may read. */
export const openReportBudget = (store: Store) =>
  openBudget(store, 'Group by one field, add a filter, or choose a shorter period.')

async function buildReport(
  now: ReportedRecords,
  before: (PeriodRecords & { days: Ends }) | undefined,
  days: Ends,
  { maxRows, findTitles = async () => new Map() }: ReportOptions,
): Promise<Report> {
  const { by, split, measure, least, hideBelow } = now.query
  const toResult = (figures: Figures) => figureOf(figures, measure.measured.text) ?? null
  const columns = split ? listColumns(split, now.groups, toResult) : []
  const isHidden = hideSmallResults(now.groups, before?.groups, columns, hideBelow)
  const resultAt = (groups: ReportGroups, key?: string, column?: string): Result => {
    const figures = figuresAt(groups, key, column)
    return isHidden(figures) ? 'hidden' : toResult(figures)
  }
  const cell = (
    { groups, findList }: PeriodRecords,
    key?: string,
    column?: string,
  ): ReportCell => ({
    result: resultAt(groups, key, column),
    filters: findList(key, column),
  })
  /** The result of several groups, which is hidden if that of one of them is. */
  const cellOfOthers = ({ groups }: PeriodRecords, keys: readonly string[], column?: string) => {
    const hasHidden = keys.some((key) => isHidden(figuresAt(groups, key, column)))
    return { result: hasHidden ? 'hidden' : toResult(groups.together(keys, column)) } as const
  }
  /** The bands add up to all people, whose number may be hidden. */
  const timesOf = ({ groups, times }: PeriodRecords) =>
    times && !isHidden(groups.total) ? countTimes(times, least, hideBelow) : undefined
  const keys = listKeys(by, now, before, (key) => resultAt(now.groups, key))
  const loadLabels = async (grouping: Grouping, labelled: readonly string[]) => {
    const titles = await findTitles(grouping, labelled)
    return (key: string) => titles.get(key) ?? describeGroup(grouping, key)
  }
  const label = await loadLabels(by, keys.slice(0, maxRows))
  const columnLabel = split ? await loadLabels(split, columns) : String
  const buildRow = (key: string): ReportRow => ({
    label: label(key),
    ...cell(now, key),
    split: columns.map((column) => cell(now, key, column)),
    ...(before && { before: cell(before, key) }),
  })
  const buildOthers = (others: readonly string[]): ReportRow => ({
    label: formatCount(others.length, 'other'),
    ...cellOfOthers(now, others),
    split: columns.map((column) => cellOfOthers(now, others, column)),
    ...(before && { before: cellOfOthers(before, others) }),
  })
  return {
    rows(max) {
      const shown = keys.length > max ? keys.slice(0, max - 1) : keys
      const others = keys.slice(shown.length)
      return [...shown.map(buildRow), ...(others.length > 0 ? [buildOthers(others)] : [])]
    },
    total: resultAt(now.groups),
    totalFilters: now.findList(),
    totalBefore: before && cell(before),
    splits: columns.map((column) => ({
      label: columnLabel(column),
      ...cell(now, undefined, column),
    })),
    counted: {
      ...countRecords(now.summary, now.withoutPerson, hideBelow),
      withoutValue: countWithoutValue(now),
      notMarked: hideNumber(now.notMarked, hideBelow),
    },
    countedBefore: before && countRecords(before.summary, undefined, hideBelow),
    times: timesOf(now),
    timesBefore: before && timesOf(before),
    days,
    daysBefore: before?.days,
  }
}

const hideNumber = (number: number, hideBelow = 0): Result =>
  number > 0 && number < hideBelow ? 'hidden' : number

/** The number of records without a value to measure. */
function countWithoutValue({ query, summary, withoutValue }: ReportedRecords) {
  const { measured } = query.measure
  if (measured.name === undefined) return undefined
  const known = figureOf(summary.total, measureOf('known', measured.name).text) ?? 0
  const missing = countOf(summary.total) - known
  return missing > 0
    ? { result: hideNumber(missing, query.hideBelow), filters: withoutValue }
    : undefined
}

/** The numbers of the records and of their people. */
function countRecords(
  { total, withoutPerson }: SummaryFigures,
  filters: ReportCell['filters'],
  hideBelow: number | undefined,
): Pick<CountedRecords, 'records' | 'people' | 'withoutPerson'> {
  const people = withoutPerson === undefined ? undefined : figureOf(total, 'people')
  return {
    records: hideNumber(countOf(total), hideBelow),
    people: people === undefined ? undefined : hideNumber(people, hideBelow),
    withoutPerson: withoutPerson
      ? { result: hideNumber(withoutPerson, hideBelow), filters }
      : undefined,
  }
}

/** The keys of all groups in order, also of groups with records in the year before only. */
function listKeys(
  by: Grouping,
  now: PeriodRecords,
  before: PeriodRecords | undefined,
  resultOf: (key: string) => Result,
): string[] {
  const keys = new Set([...now.groups.rows.keys(), ...(before?.groups.rows.keys() ?? [])])
  const complete = addEmptyGroups(by, [...keys])
  return sortKeys(by, new Map(complete.map((key) => [key, resultOf(key)])))
}

/** The groups that become columns: the latest dates, otherwise the values with the highest results. */
function listColumns(
  split: Grouping,
  { columns }: ReportGroups,
  toResult: (figures: Figures) => Result,
): string[] {
  const results = [...columns].map(([key, figures]) => [key, toResult(figures)] as const)
  const keys = sortKeys(split, new Map(results)).filter((key) => key !== '')
  return split.bucket && split.bucket !== 'age' ? keys.slice(-maxSplits) : keys.slice(0, maxSplits)
}
