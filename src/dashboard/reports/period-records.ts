import { cutoffDate } from '../../model/age.ts'
import { plainMeasure } from '../../model/summary/parse-summary.ts'
import type { RowBudget } from '../../store/query/query-reader.ts'
import type { Store } from '../../store/store.ts'
import { countOf, type Summary } from '../../store/summary/read-summary.ts'
import type { ListFilter } from '../filters/filter.ts'
import type { Ends } from '../ui/value-kinds.ts'
import { findCounted } from './counted.ts'
import { type Grouping, nextYearKey, toGroupFilter } from './grouping.ts'
import { fixDays, narrowFilters } from './narrow-filters.ts'
import { shiftFilters } from './period-days.ts'
import {
  arrangeGroups,
  listReportMeasures,
  type ReportGroups,
  readReportSummary,
} from './report-groups.ts'
import type { ReportQuery } from './report-query.ts'

/** The records of a report in its period, or in the year before. */
export type PeriodRecords = {
  groups: ReportGroups
  /** The filters of a list of the records, or of those in a group of each grouping; undefined if no list shows them. */
  findList(key?: string, column?: string): readonly ListFilter[] | undefined
}

type PeriodOptions = {
  /** The day on which ages and periods are counted, in UK time. */
  today: string
  days: Ends
  budget: RowBudget
}

type ReportedRecords = PeriodRecords & {
  summary: Summary
  /** The number of bookings that do not count because nobody marked them. */
  notMarked: number
  /** The filters of a list of the records without a person; undefined if no list shows them. */
  withoutPerson: readonly ListFilter[] | undefined
}

/** Reads the records of a report's period, and what it leaves out. */
export async function readPeriod(
  store: Store,
  query: ReportQuery,
  { today, days, budget }: PeriodOptions,
): Promise<ReportedRecords> {
  const { countable, measure, by, split, conditions, withoutPerson } = query
  const { counted, notMarked } = await findCounted(store, countable, { today, days, budget })
  const filters = listConditions(query, days)
  const selection = { filters, today, condition: counted, budget }
  const groupings = split ? [by, split] : [by]
  const summary = await readReportSummary(
    store,
    query,
    { by: groupings, measures: listReportMeasures(measure) },
    selection,
  )
  const unmarked =
    notMarked &&
    (await readReportSummary(
      store,
      query,
      { by: [], measures: [plainMeasure('count')] },
      { ...selection, condition: notMarked },
    ))
  return {
    summary,
    groups: arrangeGroups(summary),
    notMarked: unmarked ? countOf(unmarked.total) : 0,
    withoutPerson: narrowFilters([...filters, ...conditions, ...withoutPerson], today),
    findList(...keys) {
      const inGroups = listGroupFilters(groupings, keys, today)
      return inGroups && narrowFilters([...filters, ...conditions, ...inGroups], today)
    },
  }
}

/**
 * Reads the records of the year before, when ages and periods were those of then. Groups of the date that the report
 * compares by have the keys of the year after, beside which they are shown.
 */
export async function readYearBefore(
  store: Store,
  query: ReportQuery,
  { today, days, budget }: PeriodOptions,
): Promise<PeriodRecords> {
  const { countable, measure, by, date, conditions } = query
  const then = cutoffDate('1 year', today)
  const { counted } = await findCounted(store, countable, { today: then, days, budget })
  const filters = listConditions({ ...query, filters: shiftFilters(query.filters, date) }, days)
  const summary = await readReportSummary(
    store,
    query,
    { by: [by], measures: listReportMeasures(measure) },
    { filters, today: then, condition: counted, budget },
  )
  const isShifted = by.property.name === date?.name
  return {
    groups: arrangeGroups(summary, (key) => (isShifted ? nextYearKey(by, key) : key)),
    findList(...keys) {
      const inGroups = listGroupFilters([by], keys, then)
      const shifted = inGroups && isShifted ? shiftFilters(inGroups, date) : inGroups
      // A list would count ages and periods from today.
      const fixed = [...filters, ...conditions].map((filter) => fixDays(filter, then))
      return shifted && narrowFilters([...fixed, ...shifted], today)
    },
  }
}

/** The filters of a report in a range of days. */
const listConditions = ({ date, filters }: ReportQuery, { from, to }: Ends): ListFilter[] => [
  ...filters,
  ...(date && (from || to) ? [{ property: date, values: [], from, to }] : []),
]

/** The filters of the records in a group of each grouping that has a key; undefined if one has no filter. */
function listGroupFilters(
  groupings: readonly Grouping[],
  keys: readonly (string | undefined)[],
  today: string,
): ListFilter[] | undefined {
  const filters: ListFilter[] = []
  for (const [index, grouping] of groupings.entries()) {
    const key = keys[index]
    if (key === undefined) continue
    const filter = toGroupFilter(grouping, key, today)
    if (!filter) return undefined
    filters.push(filter)
  }
  return filters
}
