import { ApiError } from '../model/api-error.ts'
import { isObject } from '../model/json.ts'
import { formatNumber } from '../platform/format-number.ts'
import { yieldToEventLoop } from '../platform/yield.ts'
import type { ImportRow } from './candidates/import-row.ts'
import {
  addFieldError,
  listErrors,
  readStored,
  toInvalidRow,
  toRow,
} from './candidates/partial-rows.ts'
import { UniqueInFile, type UniqueRule } from './candidates/unique-values.ts'
import type { RecordDestination } from './destination/destination.ts'
import { type Effect, ImportPass } from './import-pass.ts'
import { ErrorCollector, type ImportFileResult, noCounts } from './report/error-groups.ts'
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
type ImportFileOptions = {
  dry?: boolean
  maxRecords?: number
  progress?: (done: number, total: number) => void
}

// Chunks are small, because other writers wait while one is written.
const maxChunkRecords = 250
const maxChunkCharacters = 250_000
// The maximum nesting of a record.
const maxDepth = 64

/**
 * Validates a whole file of records and, if it has no errors, appends new records and merges known
 * ones in place. Throws ImportInterruptedError if a write fails, and 413 for too many records.
 */
export async function importFile(
  source: Source,
  target: ImportTarget,
  destination: RecordDestination,
  { dry = false, maxRecords = Number.MAX_SAFE_INTEGER, progress }: ImportFileOptions = {},
): Promise<ImportFileResult> {
  const unique = new UniqueInFile(target)
  const rounds = dry ? 1 : 2
  const read = (round: number) => reportBytes(source, progress, { round, rounds })
  const validation = new FilePass(target, destination, dry ? 'preview' : 'validate', unique)
  await validation.check(readChunks(read(0), target, maxRecords), unique)
  const validationResult = validation.result
  if (dry || validationResult.errors.length > 0)
    return validationResult.errors.length > 0
      ? { ...validationResult, counts: noCounts }
      : validationResult
  const isValidated: UniqueRule = {
    accept: async (rows) => rows,
    holders: (records) => unique.holders(records),
  }
  const writing = new FilePass(target, destination, 'write', isValidated)
  try {
    await writing.write(readChunks(read(1), target))
  } catch (error) {
    throw new ImportInterruptedError(source.name, writing.done, validationResult.records, error)
  }
  return { ...writing.result, records: validationResult.records }
}

/** One pass over a file of records. Its rows are partial records and need no mapping. */
class FilePass {
  readonly #target: ImportTarget
  readonly #effect: Effect
  readonly #destination: RecordDestination
  readonly #pass: ImportPass<ImportRow>
  readonly #ids = new Set<string>()
  readonly #errors = new ErrorCollector()
  #rejected = 0

  constructor(
    target: ImportTarget,
    destination: RecordDestination,
    effect: Effect,
    unique: UniqueRule,
  ) {
    this.#target = target
    this.#effect = effect
    this.#destination = destination
    this.#pass = new ImportPass(target, this.#destination, effect, {
      unique,
      isAllOrNone: true,
      addError: addFieldError,
      check: (row) => this.#checkId(row),
      reject: (row) => this.#reject(listErrors(row)),
    })
  }

  /** The number of written and unchanged records. */
  get done(): number {
    return this.#pass.result.doneRecords
  }

  get result(): ImportFileResult {
    const { rows, counts } = this.#pass.result
    return {
      records: rows - this.#rejected,
      rejected: this.#rejected,
      counts,
      errors: this.#errors.groups,
    }
  }

  /** Collects the errors of a file, up to the maximum. */
  async check(chunks: AsyncIterable<ParsedRecord[]>, unique: UniqueInFile): Promise<void> {
    try {
      await this.#importChunks(chunks)
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error
      this.#errors.add({ line: error.line, ...unreadable(error.message) })
    }
    if (this.#errors.isFull) return
    for (const errors of (await unique.findTaken(this.#destination)).values()) this.#reject(errors)
  }

  /** Writes a file until its end or the first error. */
  async write(chunks: AsyncIterable<ParsedRecord[]>): Promise<void> {
    try {
      await this.#importChunks(chunks)
      await this.#pass.awaitWrite()
      if (this.#rejected === 0) return await this.#pass.finish()
    } catch (error) {
      await this.#pass.stop()
      throw error
    }
    await this.#pass.stop()
  }

  async #importChunks(chunks: AsyncIterable<ParsedRecord[]>): Promise<void> {
    for await (const records of chunks) {
      await this.#pass.importChunk(await this.#toRows(records))
      if (this.#errors.isFull || (this.#rejected > 0 && this.#effect === 'write')) return
      await yieldToEventLoop()
    }
  }

  /** Records as rows with their stored records. Without unique fields, validation reads stored records only for records that are invalid as new ones. */
  async #toRows(records: readonly ParsedRecord[]): Promise<ImportRow[]> {
    const { collection, unique } = this.#target
    const rows = records.map((record) => toRecordRow(record, this.#target))
    if (this.#effect === 'validate' && unique.length === 0)
      for (const row of rows.filter(({ errors }) => errors.length === 0))
        row.merged = this.#target.merge(undefined, row.patch)
    const unclear = rows.filter(({ merged }) => !merged || 'errors' in merged)
    await readStored(this.#destination, collection, unclear)
    for (const row of unclear) if (row.document !== undefined) delete row.merged
    return rows
  }

  #checkId(row: ImportRow): void {
    if (this.#ids.has(row.id))
      addFieldError(row, {
        field: this.#target.id,
        message: 'is already used on an earlier line.',
        code: 'duplicate',
      })
    this.#ids.add(row.id)
  }

  #reject(errors: Parameters<ErrorCollector['addAll']>[0]): void {
    if (!this.#errors.isFull) this.#rejected++
    this.#errors.addAll(errors)
  }
}

function toRecordRow(record: ParsedRecord, { id }: ImportTarget): ImportRow {
  const { line } = record
  if ('broken' in record) return toInvalidRow(line, [unreadable(record.broken)])
  const { value } = record
  const idValue = isObject(value) ? value[id] : undefined
  return toRow(line, typeof idValue === 'string' ? idValue : '', value)
}

/** A source that reports the bytes read so far, across all rounds. */
function reportBytes(
  source: Source,
  progress: ImportFileOptions['progress'],
  { round, rounds }: { round: number; rounds: number },
): Source {
  const { size } = source
  return {
    ...source,
    async *bytes() {
      let done = round * size
      for await (const chunk of source.bytes()) {
        yield chunk
        done += chunk.byteLength
        progress?.(done, rounds * size)
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
