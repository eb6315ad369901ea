import type { View } from '../limits/view.ts'
import { ApiError } from '../model/api-error.ts'
import type { Fault } from '../model/checked.ts'
import { sameJson } from '../model/same-json.ts'
import type { Values } from '../model/schema.ts'
import { isConnectionLost } from '../platform/outage.ts'
import type { Unique } from '../store/owners.ts'
import type { Written } from '../store/put.ts'
import type { Store } from '../store/store.ts'
import type { Found, Write } from '../store/write.ts'
import { fillPeople } from './fill-people.ts'
import type { Counts } from './keeping.ts'
import { valuesOf } from './person.ts'
import { retryWhileChanged } from './retry.ts'
import type { Rules } from './rules.ts'

/** Where the records of a file go. */
export type Destination = { store: Store; geography: D1Database }

/** A record of a file: its id, and itself as it was given. */
export type Given = { id: string; value: unknown }

/** What became of records of a file; where there are faults, by the ids of the records, none of them was kept. */
export type Kept = { counts: Counts; faults: (Fault & { id: string })[] }

export const nothingKept: Counts = { created: 0, updated: 0, unchanged: 0 }

const isTaken = 'has the value of another record.'

/** How the records of a file are kept: which others may give up unique values to them, and whether nothing is written. */
type HowKept = { holders: (written: readonly Written[]) => string[]; dry?: boolean }

/**
 * Merges a file's records of one collection, each with an id of its own, into the stored records; all
 * or none. New records go to the end in the given order, and unchanged records are not written. Nothing
 * is written on a `dry` run, or if another record outside `holders` has one of their unique values.
 */
export function keepRecords(
  to: Destination,
  rules: Rules,
  given: readonly Given[],
  how: HowKept,
): Promise<Kept> {
  let lost: Counts | undefined
  return retryWhileChanged(async () => {
    const merged = await mergedRecords(to, rules, given)
    if ('faults' in merged) return { counts: nothingKept, faults: merged.faults }
    const { put, counts } = merged
    if (how.dry) return { counts, faults: [] }
    if (put.length > 0) {
      try {
        const { changed, taken } = await write(to.store, rules, merged, how)
        if (changed.length > 0) return undefined
        const faults = put.flatMap((one) => faultsOf(rules, one, taken))
        if (faults.length > 0) return { counts: nothingKept, faults }
      } catch (error) {
        if (lost || !isConnectionLost(error)) throw error
        lost = counts
        return undefined
      }
    }
    // Unchanged responses too: an import that broke off here is completed when it is sent again.
    await fillPeople(to, rules.collection, merged.written)
    // If nothing was left to write, the write whose answer was lost had been made.
    return { counts: (put.length === 0 && lost) || counts, faults: [] }
  })
}

/** The merged records, the changed ones among them as `put`, and the versions they were merged into. */
type Merged = { written: Written[]; put: Written[]; counts: Counts; versions: Write['versions'] }

async function mergedRecords(
  { store, geography }: Destination,
  rules: Rules,
  given: readonly Given[],
): Promise<Merged | Pick<Kept, 'faults'>> {
  const { collection } = rules
  const ids = given.map(({ id }) => id)
  const found = await store.before({ collection, ids, rights: ['write'] })
  demandWhole(store.view)
  const before = new Map<string, Values>(
    [...found.kept].map(([id, { document }]) => [id, JSON.parse(document)]),
  )
  const { written, faults } = checked(rules, given, before)
  if (faults.length > 0) return { faults }
  const answered = (await rules.answered?.(store, written)) ?? written
  const placed = (await rules.place?.(geography, answered, before)) ?? answered
  const put = placed.filter(({ id, document }) => !sameJson(JSON.parse(document), before.get(id)))
  const created = put.filter(({ id }) => !before.has(id)).length
  return {
    ...{ written, put },
    counts: { created, updated: put.length - created, unchanged: given.length - put.length },
    versions: put.map(({ id }) => ({ id, version: found.kept.get(id)?.version ?? null })),
  }
}

/** Throws 403 for a credential from which something is kept that a file would replace. */
export function demandWhole(view: View): void {
  if (!view.isRedacted) return
  throw new ApiError('FORBIDDEN', 'These credentials do not see all that a file would replace.')
}

/** The values of records in the fields where no two may be alike. */
export function uniqueOf(rules: Rules, written: readonly Written[]): Unique[] {
  if (rules.unique.length === 0) return []
  return written.flatMap(({ document }) => {
    const values = valuesOf(document)
    return rules.unique
      .filter((field) => Object.hasOwn(values, field))
      .map((field) => ({ field, value: String(values[field]) }))
  })
}

function checked(rules: Rules, given: readonly Given[], before: ReadonlyMap<string, Values>) {
  const written: Written[] = []
  const faults: Kept['faults'] = []
  for (const { id, value } of given) {
    const one = rules.merge(before.get(id), value)
    if ('kept' in one) written.push(one.kept)
    else faults.push(...one.faults.map((fault) => ({ ...fault, id })))
  }
  return { written, faults }
}

/** Writes records unless another request has changed one, or another record has one of their unique values. */
async function write(
  store: Store,
  rules: Rules,
  { put, versions }: Merged,
  { holders }: HowKept,
): Promise<Found> {
  const { found } = await store.write({
    ...{ collection: rules.collection, rights: ['write'], named: [], through: 'import' },
    ...{ put, versions, unique: uniqueOf(rules, put), holders: holders(put) },
  })
  return found
}

const faultsOf = (rules: Rules, written: Written, taken: readonly Unique[]) =>
  uniqueOf(rules, [written])
    .filter(({ field, value }) =>
      taken.some((other) => other.field === field && other.value === value),
    )
    .map(({ field }) => ({ id: written.id, field, reason: isTaken }))
