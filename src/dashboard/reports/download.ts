import type { Context } from 'hono'
import { respondWithTable, respondWithWorkbook } from '../../formats/table-file.ts'
import type { Cell } from '../../formats/xlsx.ts'
import { ApiError } from '../../model/api-error.ts'
import { single } from '../../platform/single.ts'
import { recordDownload } from '../../store/audit-log.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { loadAnnualReturn, readYear } from './annual-return.ts'
import type { Report, ReportRow } from './count-report.ts'
import { defineReport } from './definition.ts'
import { describeReport, type LoadedReport, loadReport } from './load-report.ts'
import { difference, type Result } from './measures.ts'
import type { CountedReport } from './report-definition.tsx'
import { readReportParams } from './report-page.tsx'
import type { ReportQuery } from './report-query.ts'
import { maxRows } from './report-table.tsx'

/** Downloads the table of a report. */
export async function downloadReport(
  c: Context<DashboardEnv>,
  format: 'csv' | 'xlsx',
): Promise<Response> {
  const { query, result } = await loadDownloaded(c, format === 'csv' ? 'CSV' : 'Excel')
  return respondWithTable(c, {
    format,
    name: `report-${query.countable.name}`,
    label: describeReport(query),
    headings: listHeadings(query, result),
    rows: single(listRows(result)),
  })
}

/** Loads a report for a file, which the audit log notes. Throws 400 for filters that it cannot apply, and if it reads too much. */
export async function loadDownloaded(
  c: Context<DashboardEnv>,
  format: 'CSV' | 'Excel' | 'Image',
): Promise<CountedReport> {
  const report = await loadReport(c, readReportParams(c), maxRows)
  const { query, result, errors } = report
  const [error] = errors
  // A file without a filter would count more than the person chose.
  if (error) throw new ApiError('BAD_REQUEST', `${error.name}: ${error.message}`)
  if ('error' in result) throw new ApiError('BAD_REQUEST', result.error)
  await recordDownload(c.var.store, query.countable.collection, format)
  return { ...report, result }
}

/** Downloads the annual return as a workbook with a sheet for each question. Throws 400 if a report reads too much. */
export async function downloadAnnualReturn(c: Context<DashboardEnv>): Promise<Response> {
  const year = readYear(c)
  if (year.error) throw new ApiError('BAD_REQUEST', `from: ${year.error}`)
  const answers = await loadAnnualReturn(c, year)
  const sheets = answers.map(({ title, reports }) => ({
    name: title,
    headings: [title],
    rows: single(reports.flatMap(listReport)),
  }))
  const collections = answers.flatMap(({ reports }) =>
    reports.map(({ query }) => query.countable.collection),
  )
  for (const collection of new Set(collections))
    await recordDownload(c.var.store, collection, 'Excel')
  return respondWithWorkbook(c, `annual-return-${year.from}`, sheets)
}

/** The rows of a report between those of others: its name, what it counted, and its table with the total. */
function listReport({ query, result, filterWords }: LoadedReport): Cell[][] {
  if ('error' in result) throw new ApiError('BAD_REQUEST', result.error)
  const { total, splits, totalBefore } = result
  return [
    [],
    [toText(describeReport(query))],
    [toText(defineReport(query, result, filterWords).join(' '))],
    listHeadings(query, result).map(toText),
    ...listRows(result),
    toRow({
      label: 'Total',
      result: total,
      split: splits,
      ...(totalBefore && { before: totalBefore }),
    }),
  ]
}

/** The headings of a report's table. */
const listHeadings = ({ by, measure }: ReportQuery, { splits, totalBefore }: Report): string[] => [
  by.label,
  ...splits.map(({ label }) => label),
  measure.label,
  ...(totalBefore ? ['Year before', 'Change'] : []),
]

const listRows = ({ rows }: Report): Cell[][] => rows(maxRows).map(toRow)

const toRow = ({ label, result, split, before }: ReportRow): Cell[] => [
  toText(label),
  ...[...split.map((cell) => cell.result), result].map(toCell),
  ...(before ? [before.result, difference(result, before.result)].map(toCell) : []),
]

const toText = (text: string): Cell => ({ type: 'text', text })

const toCell = (result: Result): Cell =>
  typeof result === 'number' ? { type: 'number', value: result } : toText(result ?? '')
