import type { View } from '../limits/view.ts'
import { ApiError } from '../model/api-error.ts'
import type { Fault } from '../model/checked.ts'
import { sameJson } from '../model/same-json.ts'
import type { Values } from '../model/schema.ts'
import { isConnectionLost } from '../platform/outage.ts'
import type { Unique } from '../store/owners.ts'
import type { Written } from '../store/put.ts'
import type { Store } from '../store/store.ts'
import type { Write } from '../store/write.ts'
import type { Counts } from './keeping.ts'
import { valuesOf } from './person.ts'
import type { Rules } from './rules.ts'

/** Where the records of a file go. */
export type Destination = { store: Store; geography: D1Database }

/** A record of a file: its id, and itself as it was given. */
export type Given = { id: string; value: unknown }

/** What became of records of a file; where there are faults, by the ids of the records, none of them was kept. */
export type Kept = { counts: Counts; faults: (Fault & { id: string })[] }

export const nothingKept: Counts = { created: 0, updated: 0, unchanged: 0 }

const isTaken = 'has the value of another record.'

/**
 * Keeps records of one collection from a file, with ids all different; all or none. New ones go to the
 * end, in the order given, known ones are replaced where they are, and what is as it was stays
 * untouched. None is kept where a record that is neither among them nor of `holders` has one of their
 * unique values, nor on a `dry` run.
 */
export async function keepRecords(
  { store, geography }: Destination,
  rules: Rules,
  given: readonly Given[],
  { holders, dry = false }: { holders: (written: readonly Written[]) => string[]; dry?: boolean },
): Promise<Kept> {
  const { collection } = rules
  const ids = given.map(({ id }) => id)
  const found = await store.before({ collection, ids, rights: ['write'] })
  demandWhole(store.view)
  const before = new Map<string, Values>(
    [...found.kept].map(([id, { document }]) => [id, JSON.parse(document)]),
  )
  const { written, faults } = checked(rules, given, before)
  if (faults.length > 0) return { counts: nothingKept, faults }
  const answered = (await rules.answered?.(store, written)) ?? written
  const placed = (await rules.place?.(geography, answered, before)) ?? answered
  const put = placed.filter(({ id, document }) => !sameJson(JSON.parse(document), before.get(id)))
  const created = put.filter(({ id }) => !before.has(id)).length
  const counts: Counts = {
    created,
    updated: put.length - created,
    unchanged: given.length - put.length,
  }
  if (dry || put.length === 0) return { counts, faults }
  const unique = uniqueOf(rules, put)
  const taken = await write(store, { collection, put, unique, holders: holders(put) })
  if (taken.length === 0) return { counts, faults }
  return { counts: nothingKept, faults: put.flatMap((one) => faultsOf(rules, one, taken)) }
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
    const one = rules.check(value, before.get(id))
    if ('kept' in one) written.push(one.kept)
    else faults.push(...one.faults.map((fault) => ({ ...fault, id })))
  }
  return { written, faults }
}

/** Writes records, and gives the unique values that others have. Where the answer was lost they are written once more, which makes no difference. */
async function write(
  store: Store,
  given: Pick<Write, 'collection' | 'put' | 'unique' | 'holders'>,
): Promise<Unique[]> {
  const whole: Write = {
    ...given,
    ...{ rights: ['write'], versions: [], named: [], through: 'import' },
  }
  const { found } = await store.write(whole).catch((error: unknown) => {
    if (isConnectionLost(error)) return store.write(whole)
    throw error
  })
  return found.taken
}

const faultsOf = (rules: Rules, written: Written, taken: readonly Unique[]) =>
  uniqueOf(rules, [written])
    .filter(({ field, value }) =>
      taken.some((other) => other.field === field && other.value === value),
    )
    .map(({ field }) => ({ id: written.id, field, reason: isTaken }))
