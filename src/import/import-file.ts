import { type Destination as Kept, keepRecords } from '../records/keep.ts'
import { recordImport } from '../store/imports.ts'
import type { Written } from '../store/put.ts'
import { type FileFault, Interrupted, type Outcome, type Source, Unreadable } from './read.ts'
import { recordsIn } from './records-in.ts'
import type { Target } from './target.ts'
import { UniqueValues } from './unique-values.ts'

/** Where the records go, and who is told how many bytes of work are done. */
export type Destination = Kept & { progress: (done: number, whole: number) => void }

// Whoever else writes waits for the end of a chunk.
const chunkRecords = 250
const chunkCharacters = 250_000

/** Checks a whole file, and writes its records if all are good: new ones at the end, known ones in their place. Throws Interrupted when it cannot go on. */
export async function importFile(
  source: Source,
  target: Target,
  to: Destination,
): Promise<Outcome> {
  const { size } = source
  const unique = new UniqueValues(target)
  const { records, faults } = await check(source, target, unique, to)
  if (faults.length > 0) return { records, faults }
  let kept = 0
  try {
    for await (const { written, lines } of chunksOf(source, target)) {
      const taken = await keepRecords(to, target, written, unique.holders(written))
      if (taken.length > 0) return { records, kept, faults: unique.faults(written, lines, taken) }
      kept += written.length
      to.progress(size * (1 + kept / records), size * 2)
    }
    const { organisationId } = to
    await recordImport(to.db, { organisationId, collection: target.collection, records })
  } catch (error) {
    throw new Interrupted(source.name, kept, records, error)
  }
  return { records, faults }
}

async function check(source: Source, target: Target, unique: UniqueValues, to: Destination) {
  const { size } = source
  const faults: FileFault[] = []
  const lines = new Map<string, number>()
  let read = 0
  try {
    for await (const item of recordsIn(source, target)) {
      const { line } = item
      const checked =
        'broken' in item
          ? { faults: [{ field: '', reason: item.broken }] }
          : target.check(item.value)
      if ('faults' in checked) {
        faults.push(...checked.faults.map((fault) => ({ line, ...fault })))
        continue
      }
      const { id, document } = checked.kept
      const earlier = lines.get(id)
      if (earlier)
        faults.push({ line, field: target.id, reason: `is that of line ${earlier} too.` })
      else lines.set(id, line)
      faults.push(...unique.add(line, checked.kept))
      read += document.length
      to.progress(Math.min(read, size), size * 2)
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    faults.push({ line: error.line, field: '', reason: error.message })
  }
  faults.push(...(await unique.takenBefore(to.db, to.organisationId, lines)))
  return { records: lines.size, faults }
}

type Chunk = { written: Written[]; lines: number[] }

async function* chunksOf(source: Source, target: Target): AsyncGenerator<Chunk> {
  let chunk: Chunk = { written: [], lines: [] }
  let characters = 0
  for await (const item of recordsIn(source, target)) {
    const checked = 'broken' in item ? undefined : target.check(item.value)
    if (!checked || 'faults' in checked) throw new Unreadable(0, 'The file was changed meanwhile.')
    const { length } = checked.kept.document
    const isFull = chunk.written.length === chunkRecords || characters + length > chunkCharacters
    if (isFull && chunk.written.length > 0) {
      yield chunk
      chunk = { written: [], lines: [] }
      characters = 0
    }
    chunk.written.push(checked.kept)
    chunk.lines.push(item.line)
    characters += length
  }
  if (chunk.written.length > 0) yield chunk
}
