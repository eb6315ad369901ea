import { type Destination as Kept, keepRecords } from '../records/keep.ts'
import { recordImport } from '../store/imports.ts'
import type { Written } from '../store/put.ts'
import { type FileFault, type Outcome, type Source, Unreadable } from './read.ts'
import { recordsIn } from './records-in.ts'
import type { Target } from './target.ts'
import { UniqueValues } from './unique-values.ts'

/** Where the records go, and who is told how many bytes of work are done. */
export type Destination = Kept & { progress: (done: number, whole: number) => void }

// D1 takes values of up to 2 MB, and a call that is answered within 30 seconds.
const chunkRecords = 1000
const chunkCharacters = 500_000

/** Checks a whole file, and writes its records if all are good: new ones at the end, known ones in their place. */
export async function importFile(
  source: Source,
  target: Target,
  to: Destination,
): Promise<Outcome> {
  const { size } = source
  const outcome = await check(source, target, to)
  if (outcome.faults.length > 0) return outcome
  let written = 0
  for await (const chunk of chunksOf(source, target)) {
    await keepRecords(to, target, chunk)
    written += chunk.length
    to.progress(size * (1 + written / outcome.records), size * 2)
  }
  const { organisationId } = to
  const { collection } = target
  await recordImport(to.db, { organisationId, collection, records: outcome.records })
  return outcome
}

async function check(source: Source, target: Target, to: Destination): Promise<Outcome> {
  const { size } = source
  const faults: FileFault[] = []
  const lines = new Map<string, number>()
  const unique = new UniqueValues(target)
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
      if (document.length > chunkCharacters) {
        faults.push({ line, field: '', reason: `has more than ${chunkCharacters} characters.` })
      }
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

async function* chunksOf(source: Source, target: Target): AsyncGenerator<Written[]> {
  let chunk: Written[] = []
  let characters = 0
  for await (const item of recordsIn(source, target)) {
    const checked = 'broken' in item ? undefined : target.check(item.value)
    if (!checked || 'faults' in checked)
      throw new Error(`${source.name} was changed while it was imported.`)
    const { length } = checked.kept.document
    if (chunk.length === chunkRecords || characters + length > chunkCharacters) {
      yield chunk
      chunk = []
      characters = 0
    }
    chunk.push(checked.kept)
    characters += length
  }
  if (chunk.length > 0) yield chunk
}
