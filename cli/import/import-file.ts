import { statSync } from 'node:fs'
import type { Fault } from '../../src/store/checked.ts'
import { putRecords, type Written } from '../../src/store/put.ts'
import { recordsIn } from './read.ts'
import type { Target } from './target.ts'
import { UniqueValues } from './unique-values.ts'
import { Unreadable } from './unreadable.ts'

/** What is wrong with a line of a file; line 0 is the file as a whole. */
export type FileFault = Fault & { line: number }

/** What came of a file: how many records it has, and every fault; with a fault, nothing of it was written. */
export type Outcome = { records: number; faults: FileFault[] }

/** Where the records go, and who is told how many bytes of work are done. */
export type Destination = {
  db: D1Database
  geography: D1Database
  organisationId: string
  progress: (done: number, whole: number) => void
}

// D1 takes values of up to 2 MB, and a call that is answered within 30 seconds.
const chunkRecords = 1000
const chunkCharacters = 500_000

/** Checks a whole file, and writes its records if all are good: new ones at the end, known ones in their place. */
export async function importFile(path: string, target: Target, to: Destination): Promise<Outcome> {
  const { size } = statSync(path)
  const outcome = await check(path, target, to, size)
  if (outcome.faults.length > 0) return outcome
  let written = 0
  for await (const chunk of chunksOf(path, target)) {
    const records = target.enrich ? await target.enrich(to.geography, chunk) : chunk
    await putRecords(to.db, to.organisationId, target.collection, records)
    written += chunk.length
    to.progress(size * (1 + written / outcome.records), size * 2)
  }
  return outcome
}

async function check(
  path: string,
  target: Target,
  to: Destination,
  size: number,
): Promise<Outcome> {
  const faults: FileFault[] = []
  const lines = new Map<string, number>()
  const unique = new UniqueValues(target)
  let read = 0
  try {
    for await (const item of recordsIn(path, target)) {
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

async function* chunksOf(path: string, target: Target): AsyncGenerator<Written[]> {
  let chunk: Written[] = []
  let characters = 0
  for await (const item of recordsIn(path, target)) {
    const checked = 'broken' in item ? undefined : target.check(item.value)
    if (!checked || 'faults' in checked)
      throw new Error(`${path} was changed while it was imported.`)
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
