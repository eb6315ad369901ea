import { isSameJson } from '../model/json.ts'
import type { Values } from '../model/properties/schema.ts'
import { messages, type ValidationError } from '../model/validation-error.ts'
import { isConnectionLost } from '../platform/outage.ts'
import { yieldToEventLoop } from '../platform/yield.ts'
import { retryWhileChanged } from '../records/retry.ts'
import type { Rules } from '../records/rules.ts'
import type { NewDocument } from '../store/write/put.ts'
import type { ImportRow } from './candidates/import-row.ts'
import type { UniqueRule } from './candidates/unique-values.ts'
import type { RecordDestination } from './destination/destination.ts'
import { ImportReport } from './report/import-report.ts'
import { listUniqueValues } from './targets/target.ts'

/**
 * The effect of a pass: `validate` only looks for errors, `preview` also counts the changes, and
 * `write` makes them.
 */
export type Effect = 'validate' | 'preview' | 'write'

/** The rows of a file, and what depends on its format: additional checks and error messages. */
export type FileRows<Row extends ImportRow> = {
  /** Yields rows with distinct records in chunks. A lazy chunk can look up each row's record after the previous row was checked. */
  chunks(report: ImportReport): AsyncIterable<Iterable<Row>>
  /** The rules of the records' collection. */
  target: Rules
  unique: UniqueRule
  /** Whether one error prevents the write of its chunk, because the file is imported as a whole. */
  isAllOrNone?: boolean
  /** Adds a field error to a row. */
  addError(row: Row, error: ValidationError): void
  /** Adds errors to a valid record beyond the collection's rules, such as a repeated id. */
  check(row: Row, after: NewDocument, before: Values | undefined): void
  /** Receives an accepted record, because later rows may match it. */
  note?(id: string, ...versions: (Values | undefined)[]): void
  /** Receives a rejected row with its errors. */
  reject?(row: Row): void | Promise<void>
  /** Receives the number of rows so far. */
  progress?(rows: number): void
  /** Explains a write that failed partway. */
  explainFailure?(report: ImportReport, cause: unknown): unknown
}

/**
 * Imports the rows of a file of any format:
 * 1. source, rows, mapping: `chunks` reads the file and maps its rows to partial records.
 * 2. candidates: checks each row as a record of the target.
 * 3. destination: counts or writes the candidates that differ from their stored records.
 * 4. report: counts the rows and collects their errors.
 */
export async function importRows<Row extends ImportRow>(
  rows: FileRows<Row>,
  destination: RecordDestination,
  effect: Effect,
): Promise<ImportReport> {
  const pass = new ImportPass(rows, destination, effect)
  try {
    for await (const chunk of rows.chunks(pass.report)) {
      await pass.importChunk(chunk)
      rows.progress?.(pass.report.rows)
      if (pass.isStopped) break
      await yieldToEventLoop()
    }
    await pass.finish()
  } catch (error) {
    await pass.stop()
    if (effect !== 'write' || !rows.explainFailure) throw error
    throw rows.explainFailure(pass.report, error)
  }
  return pass.report
}

const maxErrors = 1000

type Candidate<Row> = { row: Row; record: NewDocument; before: Values | undefined }

type Attempt<Row> = { candidates: readonly Candidate<Row>[]; changed: readonly Candidate<Row>[] }

/** Imports the rows of one collection in chunks: validates them and, depending on the effect, counts and writes the changes. */
export class ImportPass<Row extends ImportRow> {
  readonly report: ImportReport
  readonly #target: Rules
  readonly #destination: RecordDestination
  readonly #effect: Effect
  readonly #rows: Omit<FileRows<Row>, 'chunks'>
  #writing: Promise<undefined | { error: unknown }> = Promise.resolve(undefined)

  constructor(rows: Omit<FileRows<Row>, 'chunks'>, destination: RecordDestination, effect: Effect) {
    this.report = new ImportReport(rows.isAllOrNone ? maxErrors : undefined)
    this.#target = rows.target
    this.#destination = destination
    this.#effect = effect
    this.#rows = rows
  }

  /** Whether the rest of the file can change nothing: it has too many errors, or one in a write of all or nothing. */
  get isStopped(): boolean {
    return this.report.isFull || (this.#effect === 'write' && this.#isPrevented)
  }

  /** Whether an error prevents the import of the whole file. */
  get #isPrevented(): boolean {
    return Boolean(this.#rows.isAllOrNone) && this.report.counts.rejected > 0
  }

  async importChunk(rows: Iterable<Row>): Promise<void> {
    const chunk: Row[] = []
    const candidates: Candidate<Row>[] = []
    for (const row of rows) {
      chunk.push(row)
      const candidate = this.#checkRow(row)
      if (candidate) candidates.push(candidate)
    }
    this.report.rows += chunk.length
    const { unique } = this.#rows
    const accepted = await unique.accept(candidates, ({ row }, error) =>
      this.#rows.addError(row, error),
    )
    // Chosen before the write starts, because the write itself rejects further rows.
    const rejected = chunk.filter(({ errors }) => errors.length > 0)
    if (this.#effect !== 'validate' && !(rejected.length > 0 && this.#rows.isAllOrNone))
      await this.#apply(accepted)
    for (const row of rejected) await this.#reject(row)
    for (const { row } of accepted) this.report.addWarnings(row.line, row.warnings)
  }

  /** Waits for the last write and throws its error. Stores the counts if the effect is `write`. */
  async finish(): Promise<void> {
    await this.awaitWrite()
    if (this.#effect !== 'write') return
    if (this.#isPrevented) await this.stop()
    else await this.#destination.finishImport(this.report.counts, true)
  }

  /** Waits for the current write and ignores its error. */
  async settle(): Promise<void> {
    await this.#writing
  }

  /** Ends an import early: waits for the current write and stores the counts until then. Ignores errors. */
  async stop(): Promise<void> {
    await this.settle()
    if (this.#effect === 'write')
      await this.#destination.finishImport(this.report.counts, false).catch(() => {})
  }

  /** Waits for the current write and throws its error. */
  async awaitWrite(): Promise<void> {
    const failed = await this.#writing
    if (failed) throw failed.error
  }

  #checkRow(row: Row): Candidate<Row> | undefined {
    // A row without a record already has an error.
    if (row.id === '' && row.errors.length > 0) return undefined
    const before: Values | undefined =
      row.document === undefined ? undefined : JSON.parse(row.document)
    const merged = row.merged ?? this.#target.merge(before, row.patch)
    if ('errors' in merged) {
      for (const error of merged.errors) this.#rows.addError(row, error)
      return undefined
    }
    if (row.errors.length > 0) return undefined
    this.#rows.check(row, merged.value, before)
    return row.errors.length > 0 ? undefined : { row, record: merged.value, before }
  }

  /** Counts the changes of valid rows, and writes them while the next rows are read: later rows have other records. */
  async #apply(candidates: readonly Candidate<Row>[]): Promise<void> {
    const changed = await this.#findChanged(candidates)
    await this.awaitWrite()
    if (this.#effect === 'preview') return this.#count({ candidates, changed })
    this.#writing = this.#write({ candidates, changed }).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
  }

  /** The candidates that differ from their stored records, with derived values. */
  async #findChanged(candidates: readonly Candidate<Row>[]): Promise<Candidate<Row>[]> {
    const completed = await this.#destination.addDerived(
      this.#target,
      candidates.map(({ record }) => record),
      new Map(candidates.flatMap(({ row, before }) => (before ? [[row.id, before] as const] : []))),
    )
    const recordsById = new Map(completed.map((record) => [record.id, record]))
    return candidates
      .map((candidate) => ({
        ...candidate,
        record: recordsById.get(candidate.record.id) ?? candidate.record,
      }))
      .filter(({ record, before }) => {
        const after: Values = JSON.parse(record.document)
        this.#rows.note?.(record.id, after)
        return before === undefined || !isSameJson(after, before)
      })
  }

  /** Writes the changes of a chunk. Merges its rows again if a concurrent request changed their records. */
  async #write(chunk: Attempt<Row>): Promise<void> {
    let attempt = chunk
    let lost: Attempt<Row> | undefined
    const lastAttempt = await retryWhileChanged(async () => {
      // Nothing is left to write, so the write with the lost response succeeded.
      if (attempt.changed.length === 0) return lost ?? attempt
      try {
        const put = attempt.changed.map(({ record }) => record)
        const holders = this.#rows.unique.holders(put)
        const { changed, taken } = await this.#destination.write(this.#target, put, holders)
        if (changed.length + taken.length === 0) return attempt
        if (changed.length === 0) await this.#rejectTaken(attempt.changed, taken)
      } catch (error) {
        if (lost || !isConnectionLost(error)) throw error
        lost = attempt
      }
      attempt = await this.#mergeAgain(attempt.candidates)
      return undefined
    })
    // Includes unchanged responses: a second import completes an interrupted first one.
    await this.#destination.fillPeople(lastAttempt.candidates.map(({ record }) => record))
    this.#count(lastAttempt)
  }

  async #rejectTaken(
    candidates: readonly Candidate<Row>[],
    taken: readonly { field: string; value: string }[],
  ): Promise<void> {
    for (const { row, record } of candidates) {
      for (const { field } of listUniqueValues(this.#target, [record]).filter((unique) =>
        taken.some(({ field, value }) => field === unique.field && value === unique.value),
      ))
        this.#rows.addError(row, { field, message: messages.notUnique, code: 'not_unique' })
      if (row.errors.length > 0) await this.#reject(row)
    }
  }

  /** Merges rows into the current stored records, and rejects rows that are no longer valid. */
  async #mergeAgain(candidates: readonly Candidate<Row>[]): Promise<Attempt<Row>> {
    const rows = candidates.map(({ row }) => row).filter(({ errors }) => errors.length === 0)
    const documents = await this.#destination.readDocuments(
      this.#target.collection,
      rows.map(({ id }) => id),
    )
    const merged: Candidate<Row>[] = []
    for (const row of rows) {
      const document = documents.get(row.id)
      const before: Values | undefined = document === undefined ? undefined : JSON.parse(document)
      const result = this.#target.merge(before, row.patch)
      if ('value' in result) merged.push({ row, record: result.value, before })
      else {
        for (const error of result.errors) this.#rows.addError(row, error)
        await this.#reject(row)
      }
    }
    if (this.#rows.isAllOrNone && merged.length < candidates.length)
      return { candidates: [], changed: [] }
    return { candidates: merged, changed: await this.#findChanged(merged) }
  }

  #count({ candidates, changed }: Attempt<Row>): void {
    this.report.unchanged += candidates.length - changed.length
    for (const { row, record, before } of changed) this.report.addWritten(row.line, before, record)
  }

  async #reject(row: Row): Promise<void> {
    this.report.addRejected(row.line, row.errors)
    await this.#rows.reject?.(row)
  }
}
