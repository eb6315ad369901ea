import { ApiError } from '../model/api-error.ts'
import { isObject } from '../model/json.ts'
import { formatNumber } from '../platform/format-number.ts'
import type { ImportRow } from './candidates/import-row.ts'
import {
  addFieldError,
  readStored,
  toCellError,
  toInvalidRow,
  toRow,
} from './candidates/partial-rows.ts'
import { UniqueInFile, type UniqueRule } from './candidates/unique-values.ts'
import type { RecordDestination } from './destination/destination.ts'
import { type Effect, type FileRows, importRows } from './import-rows.ts'
import { type ImportResult, writeNothing } from './report/import-result.ts'
import { readPartialRecords } from './rows/partial-records.ts'
import {
  ImportInterruptedError,
  type ParsedRecord,
  type Source,
  UnreadableFileError,
  unreadable,
} from './source/source.ts'
import type { ImportTarget } from './targets/target.ts'

/** Import options: `dry` writes nothing, and `progress` receives the number of bytes read. */
type ImportRecordsOptions = {
  dry?: boolean
  maxRecords?: number
  /** Receives the number of new records before anything is written, and may refuse them. */
  checkNew?: ((created: number) => Promise<void>) | undefined
  progress?: (done: number, total: number) => void
}

// Chunks are small, because other writers wait while one is written.
const maxChunkRecords = 250
const maxChunkCharacters = 250_000
// The maximum nesting of a record.
const maxDepth = 64

/**
 * Imports a file in our own format, all or nothing: its rows are partial records and need no mapping.
 * Reads it once to check every record and once to write: appends new records and merges known ones in
 * place. Throws ImportInterruptedError if a write fails, and 413 for too many records.
 */
export async function importRecords(
  source: Source,
  target: ImportTarget,
  destination: RecordDestination,
  {
    dry = false,
    maxRecords = Number.MAX_SAFE_INTEGER,
    checkNew,
    progress,
  }: ImportRecordsOptions = {},
): Promise<ImportResult> {
  const readings = dry ? 1 : 2
  const read = (reading: number) => reportBytes(source, progress, { reading, readings })
  const file = { target, destination }
  const unique = new UniqueInFile(target)
  const firstReading = readChunks(read(0), target, maxRecords)
  const effect = dry || checkNew ? 'preview' : 'validate'
  const checked = await checkRecords(firstReading, file, unique, effect)
  if (checked.errors.length > 0) return writeNothing(checked)
  await checkNew?.(checked.created)
  if (dry) return checked
  const written = await importRows(
    {
      ...toFileRows(readChunks(read(1), target), file, 'write', toCheckedRule(unique)),
      explainFailure: ({ doneRecords }, cause) =>
        new ImportInterruptedError(source.name, doneRecords, checked.records, cause),
    },
    destination,
    'write',
  )
  return { ...written.result, records: checked.records }
}

type RecordFile = { target: ImportTarget; destination: RecordDestination }

/** Checks every record and, at the end, the unique values of all. */
async function checkRecords(
  chunks: AsyncIterable<ParsedRecord[]>,
  file: RecordFile,
  unique: UniqueInFile,
  effect: Effect,
): Promise<ImportResult> {
  const failures: UnreadableFileError[] = []
  const readable = untilUnreadable(chunks, failures)
  const report = await importRows(
    toFileRows(readable, file, effect, unique),
    file.destination,
    effect,
  )
  for (const { line, message } of failures)
    report.addErrors(line, [toCellError(unreadable(message))])
  if (report.isFull) return report.result
  for (const [line, errors] of await unique.findTaken(file.destination))
    report.addRejected(line, errors.map(toCellError))
  return report.result
}

/** Yields chunks until the file becomes unreadable, and collects that error. */
async function* untilUnreadable<Chunk>(
  chunks: AsyncIterable<Chunk>,
  failures: UnreadableFileError[],
): AsyncGenerator<Chunk> {
  try {
    yield* chunks
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error
    failures.push(error)
  }
}

/** The rule for the second reading of a file, which has been checked. */
const toCheckedRule = (unique: UniqueInFile): UniqueRule => ({
  accept: async (rows) => rows,
  holders: (records) => unique.holders(records),
})

function toFileRows(
  chunks: AsyncIterable<ParsedRecord[]>,
  { target, destination }: RecordFile,
  effect: Effect,
  unique: UniqueRule,
): FileRows<ImportRow> {
  const ids = new Set<string>()
  return {
    async *chunks() {
      for await (const records of chunks) yield await toRows(records, target, destination, effect)
    },
    target,
    unique,
    isAllOrNone: true,
    addError: addFieldError,
    check(row) {
      if (ids.has(row.id))
        addFieldError(row, {
          field: target.id,
          message: 'is already used on an earlier line.',
          code: 'duplicate',
        })
      ids.add(row.id)
    },
  }
}

/** Records as rows with their stored records. Without unique fields, validation reads stored records only for records that are invalid as new ones. */
async function toRows(
  records: readonly ParsedRecord[],
  target: ImportTarget,
  destination: RecordDestination,
  effect: Effect,
): Promise<ImportRow[]> {
  const rows = records.map((record) => toRecordRow(record, target))
  if (effect === 'validate' && target.unique.length === 0)
    for (const row of rows.filter(({ errors }) => errors.length === 0))
      row.merged = target.merge(undefined, row.patch)
  const unclear = rows.filter(({ merged }) => !merged || 'errors' in merged)
  await readStored(destination, target.collection, unclear)
  for (const row of unclear) if (row.document !== undefined) delete row.merged
  return rows
}

function toRecordRow(record: ParsedRecord, { id }: ImportTarget): ImportRow {
  const { line } = record
  if ('broken' in record) return toInvalidRow(line, [unreadable(record.broken)])
  const { value } = record
  const idValue = isObject(value) ? value[id] : undefined
  return toRow(line, typeof idValue === 'string' ? idValue : '', value)
}

/** A source that reports the bytes read so far, across all readings. */
function reportBytes(
  source: Source,
  progress: ImportRecordsOptions['progress'],
  { reading, readings }: { reading: number; readings: number },
): Source {
  const { size } = source
  return {
    ...source,
    async *bytes() {
      let done = reading * size
      for await (const chunk of source.bytes()) {
        yield chunk
        done += chunk.byteLength
        progress?.(done, readings * size)
      }
    },
  }
}

const tooManyRecords = (maxRecords: number) =>
  new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The file must have at most ${formatNumber(maxRecords)} records: send it in parts.`,
  )

/** Yields the records of a file in chunks. Throws 413 if there are too many. */
async function* readChunks(
  source: Source,
  target: ImportTarget,
  maxRecords = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<ParsedRecord[]> {
  let chunk: ParsedRecord[] = []
  let characters = 0
  let records = 0
  for await (const item of readPartialRecords(source, target)) {
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

/** Estimates the length of a value as JSON. Stops at the maximum depth, because deeper values can overflow the stack. */
function estimateCharacters(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null || depth > maxDepth) return 5
  const sizes = Object.entries(value).map(
    ([name, property]) => name.length + 4 + estimateCharacters(property, depth + 1),
  )
  return sizes.reduce((sum, size) => sum + size, 2)
}
