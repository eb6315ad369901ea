import type { Context } from 'hono'
import { respondWithTable } from '../../formats/table-file.ts'
import type { Cell } from '../../formats/xlsx.ts'
import { ApiError } from '../../model/api-error.ts'
import { recordDownload } from '../../store/audit-log.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { loadAnnualReturn, readYear } from './annual-return.ts'
import type { Report } from './count-report.ts'
import { describeReport, loadReport } from './load-report.ts'
import { difference, type Result } from './measures.ts'
import { readReportParams } from './report-page.tsx'
import { maxRows } from './report-table.tsx'

/** Downloads the table of a report. Throws 400 for filters that it cannot apply. */
export async function downloadReport(
  c: Context<DashboardEnv>,
  format: 'csv' | 'xlsx',
): Promise<Response> {
  const { query, result, errors } = await loadReport(c, readReportParams(c), maxRows)
  const [error] = errors
  // A file without a filter would count more than the person chose.
  if (error) throw new ApiError('BAD_REQUEST', `${error.name}: ${error.message}`)
  if ('error' in result) throw new ApiError('BAD_REQUEST', result.error)
  const { countable, measure } = query
  await recordDownload(c.var.store, countable.collection, format === 'csv' ? 'CSV' : 'Excel')
  const headings = [
    ...[query.by.label, measure.label, ...result.splits.map(({ label }) => label)],
    ...(result.totalBefore ? ['Year before', 'Change'] : []),
  ]
  return respondWithTable(c, {
    format,
    name: `report-${countable.name}`,
    label: describeReport(query),
    headings,
    rows: listRows(result),
  })
}

/** Downloads the tables of the annual return as one. Throws 400 if a report reads too much. */
export async function downloadAnnualReturn(c: Context<DashboardEnv>): Promise<Response> {
  const year = readYear(c)
  if (year.error) throw new ApiError('BAD_REQUEST', `from: ${year.error}`)
  const reports = (await loadAnnualReturn(c, year)).flatMap((answer) => answer.reports)
  const rows = reports.flatMap(({ query, result }): Cell[][] => {
    if ('error' in result) throw new ApiError('BAD_REQUEST', result.error)
    const toRow = (label: string, number: Result) => [
      ...[describeReport(query), label].map((text): Cell => ({ type: 'text', text })),
      toCell(number),
    ]
    return [
      ...result.rows(maxRows).map((row) => toRow(row.label, row.result)),
      toRow('Total', result.total),
    ]
  })
  for (const collection of new Set(reports.map(({ query }) => query.countable.collection)))
    await recordDownload(c.var.store, collection, 'Excel')
  return respondWithTable(c, {
    format: 'xlsx',
    name: `annual-return-${year.from}`,
    label: 'Annual return',
    headings: ['Report', 'Group', 'Number'],
    rows: singlePage(rows),
  })
}

async function* singlePage(rows: Cell[][]): AsyncGenerator<Cell[][], void> {
  yield rows
}

async function* listRows({ rows }: Report): AsyncGenerator<Cell[][], void> {
  yield rows(maxRows).map(({ label, result, split, before }): Cell[] => [
    { type: 'text', text: label },
    ...[result, ...split.map((cell) => cell.result)].map(toCell),
    ...(before ? [before.result, difference(result, before.result)].map(toCell) : []),
  ])
}

const toCell = (result: Result): Cell =>
  typeof result === 'number'
    ? { type: 'number', value: result }
    : { type: 'text', text: result ?? '' }
