import { findLikelyPairs, findPairsAndCacheCount } from '../../records/search/duplicates.ts'
import { cachedPairCountColumn, readDismissedPairs } from '../../store/people/duplicates.ts'
import { can } from '../session/permissions.ts'
import { duplicatesPath } from '../ui/paths.ts'
import { type Check, maxListed } from './check.ts'

/** Finds the pairs of people who may be the same. A user needs `write` to open their list. */
export const findDuplicatePairs: Check['find'] = async ({ c, collection }) => {
  const { kind, fields, label, name } = collection
  const { store } = c.var
  if (!kind) return []
  const canMerge = can(c, 'write')
  const people = { kind, fields }
  const located = {
    label,
    href: canMerge ? duplicatesPath(c, name) : undefined,
    async listIds() {
      const { pairs } = await findLikelyPairs(store, people, await readDismissedPairs(store, kind))
      const ids = pairs.flatMap((pair) => pair.people.map((person) => person.id))
      return [...new Set(ids)].slice(0, maxListed)
    },
  }
  const { head } = await store.select({ head: { cached: cachedPairCountColumn(store, kind) } })
  if (head.cached.isRecent) return [{ ...located, count: head.cached.pairs }]
  const { pairs, isCut } = canMerge
    ? await findPairsAndCacheCount(store, people)
    : await findLikelyPairs(store, people, await readDismissedPairs(store, kind))
  const note = isCut
    ? `Only the ${label.toLowerCase()} who were added first are compared.`
    : undefined
  return [{ ...located, count: pairs.length, note }]
}
