import { ApiError } from '../model/api-error.ts'
import { isObject } from '../model/json.ts'
import type { Validated } from '../model/validation-error.ts'
import { yieldToEventLoop } from '../platform/yield.ts'
import {
  type InputRecord,
  type WriteDestination as Kept,
  keepRecords,
  noCounts,
} from '../records/upsert-batch.ts'
import type { Counts } from '../records/write.ts'
import { recordImport } from '../store/settings/imports.ts'
import type { Store } from '../store/store.ts'
import { readBeforeWrite } from '../store/write/before-write.ts'
import type { NewDocument } from '../store/write/put.ts'
import { ErrorCollector, type Outcome } from './apply/error-groups.ts'
import type { ParsedRecord, Source } from './read/source.ts'
import { ImportInterruptedError, UnreadableFileError, unreadable } from './read/source.ts'
import { readRecords } from './targets/read-records.ts'
import type { ImportTarget } from './targets/target.ts'
import { UniqueValues } from './unique-values.ts'

/** Where records are written; `progress` receives the number of processed bytes. */
export type ImportDestination = Kept & { progress?: (done: number, total: number) => void }

/** Whether all is done but to keep anything, and how many records a file may have. */
export type ImportFileOptions = { dry?: boolean; maxRecords?: number }

const usedEarlier = 'is already used on an earlier line.'

// Other writers wait until a chunk is written.
const maxChunkRecords = 250
const maxChunkCharacters = 250_000
const recordsPerTurn = 100
// A record may be nested 64 deep.
const maxDepth = 64

/**
 * Checks a whole file, and writes its records if all are good: new ones at the end, known ones merged
 * where they are. Throws ImportInterruptedError when it cannot go on, and 413 where there are too many records.
 */
export async function importFile(
  source: Source,
  target: ImportTarget,
  destination: ImportDestination,
  { dry = false, maxRecords = Number.MAX_SAFE_INTEGER }: ImportFileOptions = {},
): Promise<Outcome> {
  const { size } = source
  const uniqueValues = new UniqueValues(target)
  const { records, rejected, errors } = await checkFile(
    source,
    target,
    uniqueValues,
    destination,
    maxRecords,
  )
  const importResult: Outcome = { records, rejected, counts: noCounts, errors: errors.groups }
  if (importResult.errors.length > 0) return importResult
  let done = 0
  try {
    for await (const items of readChunks(source, target)) {
      const chunk = items.map((item) => toInputRecord(item, target))
      const holders = uniqueValues.currentHolders.bind(uniqueValues)
      const result = await keepRecords(destination, target, chunk, { holders, dry })
      if (result.errors.length > 0) {
        const lines = new Map(chunk.map(({ id, line }) => [id, line]))
        errors.addAll(
          result.errors.map(({ id, ...fault }) => ({ line: lines.get(id) ?? 0, ...fault })),
        )
        const ids = new Set(result.errors.map(({ id }) => id))
        return { ...importResult, rejected: ids.size, errors: errors.groups }
      }
      importResult.counts = addCounts(importResult.counts, result.counts)
      done += chunk.length
      destination.progress?.(size * (1 + done / records), size * 2)
    }
    if (!dry) await recordImport(destination.store, target.collection, records)
  } catch (error) {
    throw new ImportInterruptedError(source.name, dry ? 0 : done, records, error)
  }
  return importResult
}

async function checkFile(
  source: Source,
  target: ImportTarget,
  uniqueValues: UniqueValues,
  destination: ImportDestination,
  maxRecords: number,
) {
  const { size } = source
  const errors = new ErrorCollector()
  const rejected = new Set<number>()
  const ids = new Set<string>()
  let record = 0
  let readCharacters = 0
  try {
    for await (const { line, checked } of checkRecords(
      source,
      target,
      destination.store,
      maxRecords,
    )) {
      if (errors.isFull) {
        errors.stop()
        break
      }
      if (++record % recordsPerTurn === 0) await yieldToEventLoop()
      const recordErrors =
        'errors' in checked
          ? checked.errors.map((fault) => ({ line, ...fault }))
          : [
              ...(ids.has(checked.value.id)
                ? [{ line, field: target.id, message: usedEarlier, code: 'duplicate' as const }]
                : []),
              ...uniqueValues.add(record, line, checked.value),
            ]
      errors.addAll(recordErrors)
      if (recordErrors.length > 0) rejected.add(record)
      if ('errors' in checked) continue
      ids.add(checked.value.id)
      readCharacters += checked.value.document.length
      destination.progress?.(Math.min(readCharacters, size), size * 2)
    }
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error
    errors.add({ line: error.line, ...unreadable(error.message) })
  }
  if (!errors.isFull) {
    for (const { record, ...fault } of await uniqueValues.findTaken(destination.store, ids)) {
      errors.add(fault)
      rejected.add(record)
    }
  }
  return { records: ids.size, rejected: rejected.size, errors }
}

/** The records of a file as they would be kept, or everything that is wrong with them. */
async function* checkRecords(
  source: Source,
  target: ImportTarget,
  store: Store,
  maxRecords: number,
): AsyncGenerator<{ line: number; checked: Validated<NewDocument> }> {
  for await (const items of readChunks(source, target, maxRecords)) {
    const merged = await mergeChunk(items, target, store)
    for (const [index, checked] of merged.entries())
      yield { line: items[index]?.line ?? 0, checked }
  }
}

/** Returns each record of a chunk merged into the stored one, or its errors. Reads only the stored records that can change the result: of records invalid on their own, and of collections with unique fields. */
async function mergeChunk(
  items: readonly ParsedRecord[],
  target: ImportTarget,
  store: Store,
): Promise<Validated<NewDocument>[]> {
  const isUnique = target.unique.length > 0
  const withoutStored = items.map((item) =>
    'broken' in item ? { errors: [unreadable(item.broken)] } : target.merge(undefined, item.value),
  )
  const ids = items.map((item, index) => {
    const mayDiffer = isUnique || 'errors' in (withoutStored[index] ?? {})
    return 'value' in item && mayDiffer ? inputId(item.value, target) : ''
  })
  const lookedUpIds = ids.filter((id) => id !== '')
  if (lookedUpIds.length === 0) return withoutStored
  const { collection } = target
  const { records: stored } = await readBeforeWrite(store, {
    collection,
    ids: lookedUpIds,
    permissions: ['write'],
  })
  return withoutStored.map((checked, index) => {
    const item = items[index]
    const before = stored.get(ids[index] ?? '')
    return before && item && 'value' in item
      ? target.merge(JSON.parse(before.document), item.value)
      : checked
  })
}

const tooManyRecords = (maxRecords: number) =>
  new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The file must have at most ${maxRecords.toLocaleString('en-GB')} records: send it in parts.`,
  )

/** The records of a file in parts; throws 413 where there are too many. */
async function* readChunks(
  source: Source,
  target: ImportTarget,
  maxRecords = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<ParsedRecord[]> {
  let chunk: ParsedRecord[] = []
  let characters = 0
  let records = 0
  for await (const item of readRecords(source, target)) {
    if (++records > maxRecords) throw tooManyRecords(maxRecords)
    const length = 'value' in item ? estimateCharacters(item.value) : 0
    const isFull = chunk.length === maxChunkRecords || characters + length > maxChunkCharacters
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
function estimateCharacters(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null || depth > maxDepth) return 5
  const sizes = Object.entries(value).map(
    ([name, property]) => name.length + 4 + estimateCharacters(property, depth + 1),
  )
  return sizes.reduce((sum, size) => sum + size, 2)
}

function toInputRecord(item: ParsedRecord, target: ImportTarget): InputRecord & { line: number } {
  if ('broken' in item) throw new UnreadableFileError(item.line, 'The file was changed meanwhile.')
  const { line, value } = item
  return { id: inputId(value, target), value, line }
}

/** The id that a record of a file gives; '' where it gives none. */
function inputId(value: unknown, { id }: ImportTarget): string {
  const idValue = isObject(value) ? value[id] : undefined
  return typeof idValue === 'string' ? idValue : ''
}

const addCounts = (left: Counts, right: Counts): Counts => ({
  created: left.created + right.created,
  updated: left.updated + right.updated,
  unchanged: left.unchanged + right.unchanged,
})
