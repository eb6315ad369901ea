import type { Context } from 'hono'
import { respondWithTable } from '../../formats/table-file.ts'
import type { Cell } from '../../formats/xlsx.ts'
import { isErrorOf } from '../../model/api-error.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { recordDownload } from '../../store/audit-log.ts'
import { loadTitlesOf } from '../records/list/linked-titles.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { maxListed } from './check.ts'
import { type CheckResult, type LocatedFinding, loadCheckResults } from './load-quality.ts'

/** Downloads the records that the checks found, one row each. The file says what it leaves out. */
export async function downloadProblems(
  c: Context<DashboardEnv>,
  format: 'csv' | 'xlsx',
): Promise<Response> {
  const results = await loadCheckResults(c)
  const collections = new Set(
    results.flatMap(({ findings }) => findings.map(({ collection }) => collection)),
  )
  for (const collection of collections)
    await recordDownload(c.var.store, collection, format === 'csv' ? 'CSV' : 'Excel')
  return respondWithTable(c, {
    format,
    name: 'records-to-fix',
    label: 'Records to fix',
    headings: ['Problem', 'Where', 'Record', 'Id'],
    rows: listRows(c, results),
  })
}

async function* listRows(
  c: Context<DashboardEnv>,
  results: readonly CheckResult[],
): AsyncGenerator<Cell[][], void> {
  for (const { title, findings } of results)
    for (const finding of findings) yield await listFinding(c, title, finding)
}

async function listFinding(
  c: Context<DashboardEnv>,
  title: string,
  { label, count, collection, listIds }: LocatedFinding,
): Promise<Cell[][]> {
  const toRow = (...texts: string[]) =>
    [title, label, ...texts].map((text): Cell => ({ type: 'text', text }))
  const ids = count === undefined ? undefined : await listIds?.().catch(ignoreTooMany)
  if (count === undefined || !ids) return [toRow('Too many to list', '')]
  const titles = await loadTitlesOf(c, collection, ids)
  return [
    ...ids.map((id) => toRow(titles.get(id) ?? '', id)),
    ...(ids.length === maxListed && count > maxListed
      ? [toRow(`The first ${formatNumber(maxListed)} of ${formatNumber(count)} are listed`, '')]
      : []),
  ]
}

/** A list can read too many rows although the index has counted its records. */
function ignoreTooMany(error: unknown): undefined {
  if (!isErrorOf(error, 'BAD_REQUEST')) throw error
}
