import { cutoffDate } from '../../model/age.ts'
import { plainMeasure } from '../../model/summary/parse-summary.ts'
import { formatCount } from '../../platform/pluralise.ts'
import { maxRowsRead } from '../../store/bitmap/matches.ts'
import type { Store } from '../../store/store.ts'
import { countOf, type Figures, type Summary } from '../../store/summary/read-summary.ts'
import type { ListFilter } from '../filters/filter.ts'
import type { Ends } from '../ui/value-kinds.ts'
import { findCounted } from './counted.ts'
import { describeGroup, type Grouping, nextYearKey, toGroupFilter } from './grouping.ts'
import { hideSmallResults } from './hide-results.ts'
import type { Result } from './measures.ts'
import { fixDays, narrowFilters } from './narrow-filters.ts'
import { daysBefore, reportDays, shiftFilters } from './period-days.ts'
import {
  arrangeGroups,
  listReportMeasures,
  type ReportGroups,
  readReportSummary,
  type Selection,
} from './report-groups.ts'
import type { ReportQuery } from './report-query.ts'
import { addEmptyGroups, sortKeys } from './sort-groups.ts'

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
  totalBefore: Result | undefined
  totalBeforeFilters?: ReportCell['filters']
  /** The groups of the second grouping, each with the result for its records. */
  splits: readonly (ReportCell & { label: string })[]
  counted: CountedRecords
  days: Ends
  daysBefore: Ends | undefined
}

/** The numbers that say what a report counted, and what it left out. */
export type CountedRecords = {
  records: Result
  /** The number of different people, and of records without a person; undefined unless the report counts people. */
  people: Result | undefined
  withoutPerson: Result | undefined
  /** The number of bookings that do not count because nobody marked them; undefined for a report of anything else. */
  notMarked: Result | undefined
}

/** The maximum number of columns of a second grouping. */
const maxSplits = 7

type ReportOptions = {
  today: string
  /** The maximum number of rows to show, which are all that need labels. */
  maxRows: number
  /** The titles of the records to which the keys of a grouping refer. */
  findTitles?: (grouping: Grouping, keys: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

/**
 * Measures the records of a report. `today` is a day in UK time. Throws 400 before it reads more than 200,000 rows.
 */
export async function countReport(
  store: Store,
  query: ReportQuery,
  { today, maxRows, findTitles = async () => new Map() }: ReportOptions,
): Promise<Report> {
  const { countable, period, isCompared, by, split, measure, hideBelow } = query
  const days = reportDays(period, today, isCompared)
  const before = isCompared ? daysBefore(period, today) : undefined
  const budget = {
    maxRows: maxRowsRead,
    rowsBefore: store.cost.rowsRead,
    advice: 'Group by one field, add a filter, or choose a shorter period.',
  }
  const { counted, notMarked } = await findCounted(store, countable, { today, days, budget })
  const now: Selection = { filters: listConditions(query, days), today, condition: counted, budget }
  const measures = listReportMeasures(measure)
  const groupings = split ? [by, split] : [by]
  const summary = await readReportSummary(store, query, { by: groupings, measures }, now)
  const groups = arrangeGroups(summary)
  const unmarked =
    notMarked &&
    (await readReportSummary(
      store,
      query,
      { by: [], measures: [plainMeasure('count')] },
      { ...now, condition: notMarked },
    ))
  const earlier = before && (await selectBefore(store, query, before, now))
  const groupsBefore = earlier && (await readBefore(store, query, earlier))

  const toResult = (figures: Figures): Result => toNumber(figures, measure.measured.text)
  const listed = [...new Set([...groups.rows.keys(), ...(groupsBefore?.rows.keys() ?? [])])]
  const columns = split ? listColumns(split, groups, toResult) : []
  const isHidden = hideSmallResults(groups, groupsBefore, columns, hideBelow)
  const show = (figures: Figures | undefined): Result =>
    isHidden(figures ?? groups.empty) ? 'hidden' : toResult(figures ?? groups.empty)

  const results = addEmptyGroups(by, listed).map(
    (key) => [key, show(groups.rows.get(key)?.total)] as const,
  )
  const keys = sortKeys(by, new Map(results))
  const loadLabels = async (grouping: Grouping, labelled: readonly string[]) => {
    const titles = await findTitles(grouping, labelled)
    return (key: string) => titles.get(key) ?? describeGroup(grouping, key)
  }
  const label = await loadLabels(by, keys.slice(0, maxRows))
  const columnLabel = split && (await loadLabels(split, columns))

  const find = (...added: readonly (ListFilter | undefined)[]) =>
    findList([...now.filters, ...query.conditions], added, today)
  const findBefore = (...added: readonly (ListFilter | undefined)[]) =>
    earlier && findList(earlier.fixedFilters, added, today)
  const inColumn = (column: string) => split && toGroupFilter(split, column, today)
  const buildRow = (key: string): ReportRow => {
    const group = groups.rows.get(key)
    const inGroup = toGroupFilter(by, key, today)
    return {
      label: label(key),
      result: show(group?.total),
      filters: find(inGroup),
      split: columns.map((column) => ({
        result: show(group?.cells.get(column)),
        filters: find(inGroup, inColumn(column)),
      })),
      ...(groupsBefore && {
        before: {
          result: show(groupsBefore.rows.get(key)?.total),
          filters: findBefore(earlier?.toGroupFilter(key)),
        },
      }),
    }
  }
  /** The row of several groups, in which each result is hidden if that of a group is. */
  const buildOthers = (others: readonly string[]): ReportRow => {
    const measureOthers = (of: ReportGroups, column?: string): ReportCell => {
      const ofGroups = others.flatMap((key) => {
        const row = of.rows.get(key)
        return (column === undefined ? row?.total : row?.cells.get(column)) ?? []
      })
      const result = toResult(of.together(others, column))
      return { result: ofGroups.some(isHidden) ? 'hidden' : result }
    }
    return {
      label: formatCount(others.length, 'other'),
      ...measureOthers(groups),
      split: columns.map((column) => measureOthers(groups, column)),
      ...(groupsBefore && { before: measureOthers(groupsBefore) }),
    }
  }
  return {
    rows(max) {
      const shown = keys.length > max ? keys.slice(0, max - 1) : keys
      const others = keys.slice(shown.length)
      return [...shown.map(buildRow), ...(others.length > 0 ? [buildOthers(others)] : [])]
    },
    total: show(groups.total),
    totalFilters: find(),
    totalBefore: groupsBefore && show(groupsBefore.total),
    totalBeforeFilters: findBefore(),
    splits: columns.map((column) => ({
      label: columnLabel?.(column) ?? column,
      result: show(groups.columns.get(column)),
      filters: find(inColumn(column)),
    })),
    counted: {
      ...countRecords(query, summary),
      notMarked:
        countable.name === 'attendances'
          ? hideNumber(unmarked ? countOf(unmarked.total) : 0, hideBelow)
          : undefined,
    },
    days,
    daysBefore: before,
  }
}

function toNumber(figures: Figures, measure: string): number | null {
  const value = figures.get(measure)?.value
  return typeof value === 'number' ? value : null
}

const hideNumber = (number: number, hideBelow = 0): Result =>
  number > 0 && number < hideBelow ? 'hidden' : number

/** The numbers of the records and of their people. */
function countRecords(
  { hideBelow }: ReportQuery,
  { total, withoutPerson }: Summary,
): Pick<CountedRecords, 'records' | 'people' | 'withoutPerson'> {
  const people = withoutPerson === undefined ? null : toNumber(total, 'people')
  return {
    records: hideNumber(countOf(total), hideBelow),
    people: people === null ? undefined : hideNumber(people, hideBelow),
    withoutPerson: withoutPerson === undefined ? undefined : hideNumber(withoutPerson, hideBelow),
  }
}

/** The filters of a list with additional ones; undefined if no list shows the records. */
const findList = (
  filters: readonly ListFilter[],
  added: readonly (ListFilter | undefined)[],
  today: string,
): readonly ListFilter[] | undefined => {
  const groups = added.filter((filter) => filter !== undefined)
  return groups.length === added.length ? narrowFilters([...filters, ...groups], today) : undefined
}

/** The records of the year before, when ages and periods were those of then. */
async function selectBefore(
  store: Store,
  query: ReportQuery,
  days: Ends,
  { today, budget }: Selection,
) {
  const { countable, by, filters, date, conditions } = query
  const yearBefore = cutoffDate('1 year', today)
  const { counted } = await findCounted(store, countable, { today: yearBefore, days, budget })
  const shifted = listConditions({ ...query, filters: shiftFilters(filters, date) }, days)
  const selection: Selection = { filters: shifted, today: yearBefore, condition: counted, budget }
  const isShifted = by.property.name === date?.name
  return {
    selection,
    /** Whether the groups are those of the date that the report compares by. */
    isShifted,
    /** The filters with the days of then, which a list would otherwise count from today. */
    fixedFilters: [...shifted, ...conditions].map((filter) => fixDays(filter, yearBefore)),
    /** The filter of a group, which has the key of the year after. */
    toGroupFilter(key: string): ListFilter | undefined {
      const filter = toGroupFilter(by, key, yearBefore)
      return filter && isShifted ? shiftFilters([filter], date)[0] : filter
    },
  }
}

/**
 * Measures the groups of the year before. Groups of the date that the report compares by have the keys of the year
 * after, beside which they are shown.
 */
async function readBefore(
  store: Store,
  query: ReportQuery,
  { selection, isShifted }: Awaited<ReturnType<typeof selectBefore>>,
): Promise<ReportGroups> {
  const { by, measure } = query
  const measures = listReportMeasures(measure)
  const summary = await readReportSummary(store, query, { by: [by], measures }, selection)
  return arrangeGroups(summary, (value) => {
    const key = String(value ?? '')
    return isShifted ? nextYearKey(by, key) : key
  })
}

/** The filters of a report in a range of days. */
const listConditions = ({ date, filters }: ReportQuery, { from, to }: Ends): ListFilter[] => [
  ...filters,
  ...(date && (from || to) ? [{ property: date, values: [], from, to }] : []),
]

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
