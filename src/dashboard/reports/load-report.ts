import type { Context } from 'hono'
import { isErrorOf } from '../../model/api-error.ts'
import { londonDay } from '../../model/timestamp.ts'
import { joinAlternatives } from '../../platform/join-names.ts'
import { type CollectionInfo, describeOnce } from '../collection/collection-info.ts'
import { describeValue, type FilterProperty, type ListFilter } from '../filters/filter.ts'
import { loadFilterProperties } from '../filters/filter-properties.ts'
import { describeFilter, wordsOf } from '../filters/filters.ts'
import { loadValueTitles, nameFilters } from '../filters/name-filters.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { countReport, countReports, type Report, type ReportOptions } from './count-report.ts'
import { startLower } from './grouping.ts'
import {
  type ParsedReport,
  parseCountable,
  parseReportQuery,
  type ReportQuery,
} from './report-query.ts'

/** A report with its query; a report that would read too much has a reason instead of counts. */
export type LoadedReport = ParsedReport & {
  collection: CollectionInfo
  properties: readonly FilterProperty[]
  /** The day of the report, in UK time. */
  today: string
  /** The filters in words, with all their values. */
  filterWords: readonly string[]
  result: Report | { error: string }
}

/** Loads the query of an address's parameters, with what reports need to name their results. */
export async function loadReportQuery(
  c: Context<DashboardEnv>,
  params: URLSearchParams,
  describe = describeOnce(c),
) {
  const today = londonDay(Date.now())
  const countable = parseCountable(params)
  const collection = await describe(countable.collection)
  const properties = await loadFilterProperties(c, collection, () => true, describe)
  const parsed = parseReportQuery(params, countable, properties)
  const findTitles = (property: FilterProperty, keys: readonly string[]) =>
    loadValueTitles(c, countable.collection, property, keys)
  const filters = await nameFilters(c, countable.collection, parsed.query.filters)
  return {
    ...parsed,
    query: { ...parsed.query, filters },
    collection,
    properties,
    filterWords: filters.map(describeValues),
    findTitles,
    today,
  }
}

export type ReportWithQuery = Awaited<ReturnType<typeof loadReportQuery>>

/** Loads the report of an address's parameters, with at most `maxRows` groups. */
export async function loadReport(
  c: Context<DashboardEnv>,
  params: URLSearchParams,
  maxRows: number,
  describe = describeOnce(c),
): Promise<LoadedReport> {
  return countLoaded(c, await loadReportQuery(c, params, describe), maxRows)
}

/**
 * Counts reports on the same records without a comparison, which are read once. If that reads too much, each is counted
 * alone, so that one cannot refuse the others.
 */
export async function countTogether(
  c: Context<DashboardEnv>,
  reports: readonly [ReportWithQuery, ...ReportWithQuery[]],
  maxRows: number,
): Promise<LoadedReport[]> {
  const [first, ...others] = reports
  const queries = [first.query, ...others.map(({ query }) => query)] as const
  const counted = await countOrExplain(() =>
    countReports(c.var.store, queries, optionsOf(first, maxRows)),
  )
  const loaded: LoadedReport[] = []
  for (const [index, report] of reports.entries()) {
    const result = 'error' in counted ? undefined : counted[index]
    loaded.push(result ? { ...report, result } : await countLoaded(c, report, maxRows))
  }
  return loaded
}

const countLoaded = async (
  c: Context<DashboardEnv>,
  report: ReportWithQuery,
  maxRows: number,
): Promise<LoadedReport> => ({
  ...report,
  result: await countOrExplain(() =>
    countReport(c.var.store, report.query, optionsOf(report, maxRows)),
  ),
})

/** Counts, or says why that would read too much. */
export async function countOrExplain<T>(count: () => Promise<T>): Promise<T | { error: string }> {
  try {
    return await count()
  } catch (error) {
    if (!isErrorOf(error, 'BAD_REQUEST')) throw error
    return { error: error.errors[0]?.message ?? error.message }
  }
}

const optionsOf = ({ today, findTitles }: ReportWithQuery, maxRows: number): ReportOptions => ({
  today,
  maxRows,
  findTitles: ({ property }, keys) => findTitles(property, keys),
})

/** A filter in words, such as "Ward: Armley or Holbeck". */
function describeValues(filter: ListFilter): string {
  const { property, values, titles } = filter
  if (values.length === 0) return describeFilter(filter)
  const names = values.map((value) => titles?.get(value) ?? describeValue(value, property))
  const { words } = wordsOf({ ...filter, values: [] })
  return `${property.label}: ${joinAlternatives(names)}${words && ` and${words}`}`
}

/** The name of a report that has none, such as "Members by ward". */
export const describeReport = ({ measure, by }: ReportQuery): string =>
  `${measure.label} by ${startLower(by.label)}`

/** Starts a text with a capital letter. */
export const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
