import { cutoffDate } from '../../model/age.ts'
import type { Predicate } from '../../model/query/predicate.ts'
import { measureRules } from '../../model/summary/measure-names.ts'
import { plainMeasure } from '../../model/summary/parse-summary.ts'
import type { RowBudget } from '../../store/query/query-reader.ts'
import type { Store } from '../../store/store.ts'
import { countOf, type Figures, type SummaryFigures } from '../../store/summary/measure-groups.ts'
import type { ListFilter } from '../filters/filter.ts'
import type { Ends } from '../ui/value-kinds.ts'
import { findAgeDate, isAgeFilter, isAgeGroup } from './ages-on-day.ts'
import { findCounted } from './counted.ts'
import { type Grouping, nextYearKey, toGroupFilter, toNamedGroup } from './grouping.ts'
import { fixDays, narrowFilters } from './narrow-filters.ts'
import { shiftFilters } from './period-days.ts'
import {
  arrangeGroups,
  listReportMeasures,
  type Measured,
  type ReportGroups,
  readReportSummary,
} from './report-groups.ts'
import type { ReportQuery } from './report-query.ts'
import { timesMeasures } from './times.ts'

/** The records of a report in its period, or in the year before. */
export type PeriodRecords = {
  groups: ReportGroups
  summary: SummaryFigures
  /** The figures of `countTimes`. */
  times: Figures | undefined
  /** The filters of a list of the records, or of those in a group of each grouping; undefined if no list shows them. */
  findList(key?: string, column?: string): readonly ListFilter[] | undefined
}

type PeriodOptions = {
  /** The day on which ages and periods are counted, in UK time. */
  today: string
  days: Ends
  budget: RowBudget
}

export type ReportedRecords = PeriodRecords & {
  query: ReportQuery
  /** The number of bookings that do not count because nobody marked them. */
  notMarked: number
  /** The filters of a list of the records without a person, and of those without a value to measure; undefined if no list shows them. */
  withoutPerson: readonly ListFilter[] | undefined
  withoutValue: readonly ListFilter[] | undefined
}

/** Selects the records of a report in its period, and the bookings that do not count because nobody marked them. */
export async function selectRecords(
  store: Store,
  query: ReportQuery,
  { today, days, budget }: PeriodOptions,
) {
  const found = await findCounted(store, query, { today, days, budget })
  const filters = listConditions(query, days)
  const select = (condition: Predicate | undefined) => ({ filters, today, condition, budget })
  return {
    filters,
    selection: select(found.counted),
    notMarked: found.notMarked && select(found.notMarked),
  }
}

/** Reports on the same records, of which the first says which ones. */
export type SameRecords = readonly [ReportQuery, ...ReportQuery[]]

/** Reads the records of some reports in their period once, and what the reports leave out. How often people came is that of the first. */
export async function readPeriod(
  store: Store,
  queries: SameRecords,
  { today, days, budget }: PeriodOptions,
): Promise<[ReportedRecords, ...ReportedRecords[]]> {
  const [query, ...others] = queries
  const { conditions, withoutPerson } = query
  const { filters, selection, notMarked } = await selectRecords(store, query, {
    today,
    days,
    budget,
  })
  const summary = await readReportSummary(
    store,
    query,
    { ...listSummary(query), others: [listTimes(query), ...others.map(listSummary)] },
    selection,
  )
  const unmarked =
    notMarked &&
    (await readReportSummary(
      store,
      query,
      { by: [], measures: [plainMeasure('count')] },
      notMarked,
    ))
  const [times, ...otherSummaries] = summary.others
  const ofReport = (reported: ReportQuery, figures: SummaryFigures): ReportedRecords => ({
    query: reported,
    summary: figures,
    groups: arrangeGroups(figures),
    times: reported === query ? times?.total : undefined,
    notMarked: unmarked ? countOf(unmarked.total) : 0,
    withoutPerson: findRecords(reported, [...filters, ...conditions, ...withoutPerson], today),
    withoutValue:
      reported.measure.property &&
      findRecords(
        reported,
        [...filters, ...conditions, { property: reported.measure.property, values: [''] }],
        today,
      ),
    findList(...keys) {
      const inGroups = listGroupFilters(reported, groupingsOf(reported), keys, today)
      return inGroups && findRecords(reported, [...filters, ...conditions, ...inGroups], today)
    },
  })
  return [
    ofReport(query, summary),
    ...otherSummaries.flatMap((figures, index) => {
      const reported = others[index]
      return reported ? ofReport(reported, figures) : []
    }),
  ]
}

const groupingsOf = ({ by, split }: ReportQuery): Grouping[] => (split ? [by, split] : [by])

/** The groups and measures of a report. */
const listSummary = (query: ReportQuery): Measured => ({
  by: groupingsOf(query).map((grouping) =>
    toNamedGroup(
      grouping,
      isAgeGroup(query, grouping) ? findAgeDate(query, grouping.property) : undefined,
    ),
  ),
  measures: listReportMeasures(query.measure),
})

/** What a report on people measures besides: how often they came. */
const listTimes = ({ measure: { measured }, least }: ReportQuery): Measured => ({
  by: [],
  measures: measureRules[measured.measure].countsPeople ? timesMeasures(least) : [],
})

/**
 * Reads the records of the year before, when ages and periods were those of then. Groups of the date that the report
 * compares by have the keys of the year after, beside which they are shown.
 */
export async function readYearBefore(
  store: Store,
  query: ReportQuery,
  { today, days, budget }: PeriodOptions,
): Promise<PeriodRecords> {
  const { by, date, conditions } = query
  const then = cutoffDate('1 year', today)
  const { counted } = await findCounted(store, query, { today: then, days, budget })
  const filters = listConditions({ ...query, filters: shiftFilters(query.filters, date) }, days)
  const summary = await readReportSummary(
    store,
    query,
    { ...listSummary({ ...query, split: undefined }), others: [listTimes(query)] },
    { filters, today: then, condition: counted, budget },
  )
  const [times] = summary.others
  const isShifted = by.property.name === date?.name
  return {
    summary,
    groups: arrangeGroups(summary, (key) => (isShifted ? nextYearKey(by, key) : key)),
    times: times?.total,
    findList(...keys) {
      const inGroups = listGroupFilters(query, [by], keys, then)
      const shifted = inGroups && isShifted ? shiftFilters(inGroups, date) : inGroups
      // A list would count ages and periods from today.
      const fixed = [...filters, ...conditions].map((filter) =>
        isAgeFilter(query, filter) ? filter : fixDays(filter, then),
      )
      return shifted && findRecords(query, [...fixed, ...shifted], today)
    },
  }
}

/** The filters of a report in a range of days. */
export const listConditions = (
  { date, filters }: ReportQuery,
  { from, to }: Ends,
): ListFilter[] => [
  ...filters,
  ...(date && (from || to) ? [{ property: date, values: [], from, to }] : []),
]

/** The filters of a list of some records of a report, with one condition per property; undefined if no list shows them. */
export const findRecords = (
  query: ReportQuery,
  filters: readonly ListFilter[],
  today: string,
): readonly ListFilter[] | undefined =>
  filters.some((filter) => isAgeFilter(query, filter)) ? undefined : narrowFilters(filters, today)

/** The filters of the records in a group of each grouping that has a key; undefined if one has no filter. */
function listGroupFilters(
  query: ReportQuery,
  groupings: readonly Grouping[],
  keys: readonly (string | undefined)[],
  today: string,
): ListFilter[] | undefined {
  const filters: ListFilter[] = []
  for (const [index, grouping] of groupings.entries()) {
    const key = keys[index]
    if (key === undefined) continue
    if (key !== '' && isAgeGroup(query, grouping)) return undefined
    const filter = toGroupFilter(grouping, key, today)
    if (!filter) return undefined
    filters.push(filter)
  }
  return filters
}
