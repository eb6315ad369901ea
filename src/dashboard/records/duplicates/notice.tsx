import type { Context } from 'hono'
import { formatNumber } from '../../../platform/format-number.ts'
import { findLikelyPairs, type LikelyPair } from '../../../records/search/duplicates.ts'
import {
  readDismissedPairs,
  readDuplicateCheck,
  saveDuplicateCheck,
} from '../../../store/people/duplicates.ts'
import type { CollectionInfo } from '../../collection/collection-info.ts'
import { can } from '../../session/permissions.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { duplicatesPath } from '../../ui/paths.ts'

/**
 * Returns the number of likely duplicates at the last comparison, and whether that is recent enough; 0
 * for other records than people, and for users who cannot merge.
 */
export async function readDuplicateCount(
  c: Context<DashboardEnv>,
  { kind }: CollectionInfo,
): Promise<{ count: number; isRecent: boolean }> {
  if (!kind || !can(c, 'write')) return { count: 0, isRecent: true }
  const { pairs, isRecent } = await readDuplicateCheck(c.var.store, kind)
  return { count: pairs, isRecent }
}

/** Compares all people of a kind, and saves the number of pairs for the notice. */
export async function comparePeople(
  c: Context<DashboardEnv>,
  { kind, fields }: CollectionInfo,
): Promise<{ pairs: LikelyPair[]; isCut: boolean }> {
  const { store } = c.var
  if (!kind) return { pairs: [], isCut: false }
  const dismissed = await readDismissedPairs(store, kind)
  const result = await findLikelyPairs(store, { kind, fields }, dismissed)
  await saveDuplicateCheck(store, kind, result.pairs.length)
  return result
}

type Props = { c: Context<DashboardEnv>; collection: CollectionInfo; count: number }

/** Renders a link to the likely duplicates, if there are any. */
export function DuplicatesNotice({ c, collection: { name }, count }: Props) {
  if (count === 0) return null
  return (
    <p class="notice">
      <a href={duplicatesPath(c, name)}>
        {formatNumber(count)} likely {count === 1 ? 'duplicate' : 'duplicates'}
      </a>
    </p>
  )
}
