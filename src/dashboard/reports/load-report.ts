import type { Context } from 'hono'
import { isErrorOf } from '../../model/api-error.ts'
import { londonDay } from '../../model/timestamp.ts'
import { type CollectionInfo, describeCollection } from '../collection/collection-info.ts'
import type { FilterProperty } from '../filters/filter.ts'
import { loadFilterProperties } from '../filters/filter-properties.ts'
import { findReferenced } from '../filters/value-source.ts'
import { loadTitlesOf } from '../records/list/linked-titles.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { countReport, type Report } from './count-report.ts'
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
  result: Report | { error: string }
}

/** Loads the report of an address's parameters, with at most `maxRows` groups. */
export async function loadReport(
  c: Context<DashboardEnv>,
  params: URLSearchParams,
  maxRows: number,
): Promise<LoadedReport> {
  const today = londonDay(Date.now())
  const countable = parseCountable(params)
  const collection = await describeCollection(c, countable.collection)
  const properties = await loadFilterProperties(c, collection, () => true)
  const parsed = parseReportQuery(params, countable, properties, today)
  const loaded = { ...parsed, collection, properties }
  try {
    const report = await countReport(c.var.store, parsed.query, {
      today,
      maxRows,
      async findTitles({ property }, keys) {
        const referenced = findReferenced(countable.collection, property)
        return referenced ? loadTitlesOf(c, referenced, keys) : new Map()
      },
    })
    return { ...loaded, result: report }
  } catch (error) {
    if (!isErrorOf(error, 'BAD_REQUEST')) throw error
    return { ...loaded, result: { error: error.errors[0]?.message ?? error.message } }
  }
}

/** The name of a report that has none, such as "Members by ward". */
export const describeReport = ({ measure, by }: ReportQuery): string =>
  `${measure.label} by ${startLower(by.label)}`

/** Starts a text with a capital letter. */
export const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
