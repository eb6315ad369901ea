import type { Context } from 'hono'
import { parsePreconditions } from '../../../http/preconditions.ts'
import { ApiError, isErrorOf } from '../../../model/api-error.ts'
import { pluralise } from '../../../platform/pluralise.ts'
import { readVersions } from '../../../store/history/versions.ts'
import { describeCollection } from '../../collection/collection-info.ts'
import { describeCounts } from '../../collection/read.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { redirectWithFlash } from '../../ui/notice.tsx'
import { recordPath } from '../../ui/paths.ts'
import { renderDeletedRecord } from '../record/deleted-record.tsx'

/**
 * Restores a deleted record with everything that the same deletion or merge removed or changed.
 * Renders the reason if it cannot be restored.
 */
export async function submitRestore(c: Context<DashboardEnv>, name: string, id: string) {
  const collection = await describeCollection(c, name)
  const { resource, kind } = collection
  const { current, versions } = await readVersions(c.var.store, { collection: name, id, kind })
  const [last] = versions
  const path = recordPath(c, name, id)
  if (current !== undefined)
    return redirectWithFlash(c, path, { notice: 'This record exists already.' })
  if (last?.change !== 'deleted')
    throw new ApiError('NOT_FOUND', 'This record is no longer stored, so it cannot be restored.')
  const records = await c.var.openRecords()
  try {
    const { restored, left } = await records.restore(
      resource,
      { id, version: last.version, cascade: true },
      parsePreconditions({ 'If-None-Match': '*' }),
    )
    const notice = describeResult(restored, left.length)
    return redirectWithFlash(c, path, { notice })
  } catch (error) {
    if (!isErrorOf(error, 'BAD_REQUEST')) throw error
    return renderDeletedRecord(c, collection, id, error.message)
  }
}

/** Counts the other restored records, and the ones left, in words. */
function describeResult(restored: Readonly<Record<string, number>>, left: number): string {
  const counts = describeCounts(new Map(Object.entries(restored)))
  const others = counts ? `Restored, with ${counts}.` : 'Restored.'
  const leftOthers = pluralise(
    left,
    '1 other record was not restored: it changed since, or refers to something that no longer exists.',
    `${left} other records were not restored: they changed since, or refer to something that no longer exists.`,
  )
  return left === 0 ? others : `${others} ${leftOthers}`
}
