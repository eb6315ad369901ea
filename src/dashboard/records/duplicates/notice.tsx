import type { Context } from 'hono'
import { formatNumber } from '../../../platform/format-number.ts'
import { pluralise } from '../../../platform/pluralise.ts'
import { findLikelyPairs, type LikelyPair } from '../../../records/search/duplicates.ts'
import { readDismissedPairs, saveDuplicateCheck } from '../../../store/people/duplicates.ts'
import type { CollectionInfo } from '../../collection/collection-info.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { duplicatesPath } from '../../ui/paths.ts'

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
        {formatNumber(count)} likely {pluralise(count, 'duplicate')}
      </a>
    </p>
  )
}
