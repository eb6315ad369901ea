import { ApiError } from '../model/api-error.ts'
import type { Checked } from '../model/checked.ts'
import { isObject } from '../model/is-object.ts'
import { othersTurn } from '../platform/others-turn.ts'
import { type Given, type Destination as Kept, keepRecords, nothingKept } from '../records/keep.ts'
import type { Counts } from '../records/keeping.ts'
import type { Written } from '../store/put.ts'
import type { Store } from '../store/store.ts'
import { Faults, type Outcome } from './faults.ts'
import { Interrupted, type Read, type Source, Unreadable } from './read.ts'
import { recordsIn } from './records-in.ts'
import type { Target } from './target.ts'
import { UniqueValues } from './unique-values.ts'

/** Where the records go, and who is told how many bytes of work are done. */
export type Destination = Kept & { progress?: (done: number, whole: number) => void }

/** Whether all is done but to keep anything, and how many records a file may have. */
export type Options = { dry?: boolean; mostRecords?: number }

// Whoever else writes waits for the end of a chunk.
const chunkRecords = 250
const chunkCharacters = 250_000
const recordsInTurn = 100
// A record may be nested 64 deep.
const maxDepth = 64

/**
 * Checks a whole file, and writes its records if all are good: new ones at the end, known ones merged
 * where they are. Throws Interrupted when it cannot go on, and 413 where there are too many records.
 */
export async function importFile(
  source: Source,
  target: Target,
  to: Destination,
  { dry = false, mostRecords = Number.MAX_SAFE_INTEGER }: Options = {},
): Promise<Outcome> {
  const { size } = source
  const unique = new UniqueValues(target)
  const { records, faulty, faults } = await check(source, target, unique, to, mostRecords)
  const outcome: Outcome = { records, faulty, counts: nothingKept, faults: faults.groups }
  if (outcome.faults.length > 0) return outcome
  let done = 0
  try {
    for await (const items of chunksOf(source, target)) {
      const chunk = items.map((item) => givenBy(item, target))
      const holders = unique.holders.bind(unique)
      const kept = await keepRecords(to, target, chunk, { holders, dry })
      if (kept.faults.length > 0) {
        const lines = new Map(chunk.map(({ id, line }) => [id, line]))
        faults.addAll(
          kept.faults.map(({ id, ...fault }) => ({ line: lines.get(id) ?? 0, ...fault })),
        )
        const ids = new Set(kept.faults.map(({ id }) => id))
        return { ...outcome, faulty: ids.size, faults: faults.groups }
      }
      outcome.counts = sum(outcome.counts, kept.counts)
      done += chunk.length
      to.progress?.(size * (1 + done / records), size * 2)
    }
    if (!dry) await to.store.noteImport(target.collection, records)
  } catch (error) {
    throw new Interrupted(source.name, dry ? 0 : done, records, error)
  }
  return outcome
}

async function check(
  source: Source,
  target: Target,
  unique: UniqueValues,
  to: Destination,
  mostRecords: number,
) {
  const { size } = source
  const faults = new Faults()
  const faulty = new Set<number>()
  const ids = new Set<string>()
  let record = 0
  let read = 0
  try {
    for await (const { line, checked } of checkedRecords(source, target, to.store, mostRecords)) {
      if (faults.isFull) {
        faults.stop()
        break
      }
      if (++record % recordsInTurn === 0) await othersTurn()
      const found =
        'faults' in checked
          ? checked.faults.map((fault) => ({ line, ...fault }))
          : [
              ...(ids.has(checked.kept.id)
                ? [{ line, field: target.id, reason: 'is that of an earlier line too.' }]
                : []),
              ...unique.add(record, line, checked.kept),
            ]
      faults.addAll(found)
      if (found.length > 0) faulty.add(record)
      if ('faults' in checked) continue
      ids.add(checked.kept.id)
      read += checked.kept.document.length
      to.progress?.(Math.min(read, size), size * 2)
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    faults.add({ line: error.line, field: '', reason: error.message })
  }
  if (!faults.isFull) {
    for (const { record, ...fault } of await unique.takenBefore(to.store, ids)) {
      faults.add(fault)
      faulty.add(record)
    }
  }
  return { records: ids.size, faulty: faulty.size, faults }
}

/** The records of a file as they would be kept, or everything that is wrong with them. */
async function* checkedRecords(
  source: Source,
  target: Target,
  store: Store,
  mostRecords: number,
): AsyncGenerator<{ line: number; checked: Checked<Written> }> {
  for await (const items of chunksOf(source, target, mostRecords)) {
    const merged = await mergedOf(items, target, store)
    for (const [at, checked] of merged.entries()) yield { line: items[at]?.line ?? 0, checked }
  }
}

/** Returns each record of a chunk merged into the stored one, or its faults. Reads only the stored records that can change the result: of records invalid on their own, and of collections with unique fields. */
async function mergedOf(
  items: readonly Read[],
  target: Target,
  store: Store,
): Promise<Checked<Written>[]> {
  const isUnique = target.unique.length > 0
  const alone = items.map((item) =>
    'broken' in item
      ? { faults: [{ field: '', reason: item.broken }] }
      : target.merge(undefined, item.value),
  )
  const ids = items.map((item, at) => {
    const mayDiffer = isUnique || 'faults' in (alone[at] ?? {})
    return 'value' in item && mayDiffer ? idOf(item.value, target) : ''
  })
  const known = ids.filter((id) => id !== '')
  if (known.length === 0) return alone
  const { collection } = target
  const { kept } = await store.before({ collection, ids: known, rights: ['write'] })
  return alone.map((checked, at) => {
    const item = items[at]
    const before = kept.get(ids[at] ?? '')
    return before && item && 'value' in item
      ? target.merge(JSON.parse(before.document), item.value)
      : checked
  })
}

const tooManyRecords = (most: number) =>
  new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The file must have at most ${most.toLocaleString('en-GB')} records: send it in parts.`,
  )

/** The records of a file in parts; throws 413 where there are too many. */
async function* chunksOf(
  source: Source,
  target: Target,
  mostRecords = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<Read[]> {
  let chunk: Read[] = []
  let characters = 0
  let records = 0
  for await (const item of recordsIn(source, target)) {
    if (++records > mostRecords) throw tooManyRecords(mostRecords)
    const length = 'value' in item ? sizeOf(item.value) : 0
    const isFull = chunk.length === chunkRecords || characters + length > chunkCharacters
    if (isFull && chunk.length > 0) {
      yield chunk
      chunk = []
      characters = 0
    }
    chunk.push(item)
    characters += length
  }
  if (chunk.length > 0) yield chunk
}

/** Returns about how many characters a value has as JSON. It stops at the depth a record may have, because deeper values can exceed the stack. */
function sizeOf(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null || depth > maxDepth) return 5
  const sizes = Object.entries(value).map(
    ([name, inner]) => name.length + 4 + sizeOf(inner, depth + 1),
  )
  return sizes.reduce((sum, size) => sum + size, 2)
}

function givenBy(item: Read, target: Target): Given & { line: number } {
  if ('broken' in item) throw new Unreadable(item.line, 'The file was changed meanwhile.')
  const { line, value } = item
  return { id: idOf(value, target), value, line }
}

/** The id that a record of a file gives; '' where it gives none. */
function idOf(value: unknown, { id }: Target): string {
  const own = isObject(value) ? value[id] : undefined
  return typeof own === 'string' ? own : ''
}

const sum = (one: Counts, other: Counts): Counts => ({
  created: one.created + other.created,
  updated: one.updated + other.updated,
  unchanged: one.unchanged + other.unchanged,
})
