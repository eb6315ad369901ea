import { ApiError } from '../model/api-error.ts'
import { othersTurn } from '../platform/others-turn.ts'
import { type Given, type Destination as Kept, keepRecords, nothingKept } from '../records/keep.ts'
import type { Counts } from '../records/keeping.ts'
import { Faults, type Outcome } from './faults.ts'
import { Interrupted, type Source, Unreadable } from './read.ts'
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

/**
 * Checks a whole file, and writes its records if all are good: new ones at the end, known ones in their
 * place. Throws Interrupted when it cannot go on, and 413 where there are too many records.
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
    for await (const chunk of chunksOf(source, target)) {
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
    for await (const item of recordsIn(source, target)) {
      const { line } = item
      if (faults.isFull) {
        faults.stop()
        break
      }
      if (++record > mostRecords) throw tooManyRecords(mostRecords)
      if (record % recordsInTurn === 0) await othersTurn()
      const checked =
        'broken' in item
          ? { faults: [{ field: '', reason: item.broken }] }
          : target.check(item.value)
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

const tooManyRecords = (most: number) =>
  new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The file must have at most ${most.toLocaleString('en-GB')} records: send it in parts.`,
  )

async function* chunksOf(
  source: Source,
  target: Target,
): AsyncGenerator<(Given & { line: number })[]> {
  let chunk: (Given & { line: number })[] = []
  let characters = 0
  for await (const item of recordsIn(source, target)) {
    if ('broken' in item) throw new Unreadable(item.line, 'The file was changed meanwhile.')
    const { line, value } = item
    const { length } = JSON.stringify(value)
    const isFull = chunk.length === chunkRecords || characters + length > chunkCharacters
    if (isFull && chunk.length > 0) {
      yield chunk
      chunk = []
      characters = 0
    }
    chunk.push({ id: String((value as Record<string, unknown>)[target.id]), value, line })
    characters += length
  }
  if (chunk.length > 0) yield chunk
}

const sum = (one: Counts, other: Counts): Counts => ({
  created: one.created + other.created,
  updated: one.updated + other.updated,
  unchanged: one.unchanged + other.unchanged,
})
