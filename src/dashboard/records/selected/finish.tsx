import type { Context } from 'hono'
import { formatNumber } from '../../../platform/format-number.ts'
import type { CollectionInfo } from '../../collection/collection-info.ts'
import { describeCount } from '../../collection/read.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { redirectWithFlash } from '../../ui/notice.tsx'
import { collectionPath } from '../../ui/paths.ts'
import { renderFailures } from './action-page.tsx'
import { loadNames } from './selection.ts'

type Result = {
  /** The completed action, such as "Deleted". */
  action: string
  done: number
  unchanged: number
  failed: ReadonlyMap<string, string>
  /** The address that undoes the action, if it can be undone. */
  undo?: string | undefined
}

/** Returns to the list with the number of changed records, or shows the failed ones by name. */
export async function finishAction(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  { action, done, unchanged, failed, undo }: Result,
) {
  const already = unchanged > 0 ? ` ${formatNumber(unchanged)} needed no change.` : ''
  const notice = `${action}: ${describeCount({ collection, total: done })}.${already}`
  if (failed.size === 0)
    return redirectWithFlash(c, collectionPath(c, collection.name) + new URL(c.req.url).search, {
      notice,
      ...(undo !== undefined && { undo }),
    })
  const names = await loadNames(c, collection, [...failed.keys()])
  const failures = [...failed].map(([id, message]) => ({ name: names.get(id) ?? id, message }))
  return renderFailures({ c, collection, title: notice, failures, undo })
}
