import { isSameJson } from '../../model/json.ts'
import type { Values } from '../../model/properties/schema.ts'
import { messages, type Validated, type ValidationError } from '../../model/validation-error.ts'
import { isConnectionLost } from '../../platform/outage.ts'
import { retryWhileChanged } from '../../records/retry.ts'
import type { Rules } from '../../records/rules.ts'
import type { NewDocument } from '../../store/write/put.ts'
import { listUniqueValues } from '../targets/target.ts'
import type { CellError, CellMessage } from './convert-row.ts'
import type { RecordDestination } from './destination.ts'
import { ImportResultBuilder } from './import-result.ts'
import type { UniqueRule } from './unique-values.ts'

/** A row of a file as a record: its id ('' without one), its stored record as JSON text, and a JSON Merge Patch to it. */
export type ImportRow = {
  line: number
  id: string
  document: string | undefined
  patch: unknown
  /** The patch as a new record, if the adapter has validated it already. */
  merged?: Validated<NewDocument>
  errors: CellError[]
  warnings: CellMessage[]
}

/**
 * What a pass does with valid rows: `validate` only looks for errors, `preview` also counts the changes,
 * and `write` makes them.
 */
export type Effect = 'validate' | 'preview' | 'write'

/** What differs between the kinds of files: how rows are checked beyond the collection's rules, and how errors are told. */
type Adapter<Row extends ImportRow> = {
  unique: UniqueRule
  /** Adds an error of a field to a row. */
  addError(row: Row, error: ValidationError): void
  /** Adds the errors of a valid record that only the file shows, such as a repeated id. */
  check(row: Row, after: NewDocument, before: Values | undefined): void
  /** Notes an accepted record, because the next rows may refer to it. */
  note?(id: string, ...versions: (Values | undefined)[]): void
  /** Receives a row that is not imported, with its errors. */
  reject?(row: Row): void | Promise<void>
  /** Whether a chunk with an error is not written, because the file is imported as a whole. */
  isAllOrNone?: boolean
}

type Candidate<Row> = { row: Row; record: NewDocument; before: Values | undefined }

type Attempt<Row> = { candidates: readonly Candidate<Row>[]; changed: readonly Candidate<Row>[] }

/** Imports the rows of a file chunk by chunk: validates, counts, and writes them, if that is its effect. */
export class ImportPass<Row extends ImportRow> {
  readonly result = new ImportResultBuilder()
  readonly #rules: Rules
  readonly #destination: RecordDestination
  readonly #effect: Effect
  readonly #adapter: Adapter<Row>
  #writing: Promise<undefined | { error: unknown }> = Promise.resolve(undefined)

  constructor(rules: Rules, destination: RecordDestination, effect: Effect, adapter: Adapter<Row>) {
    this.#rules = rules
    this.#destination = destination
    this.#effect = effect
    this.#adapter = adapter
  }

  /** Imports rows of different records. A lazy iterable can find each row's record after the row before was checked. */
  async importChunk(rows: Iterable<Row>): Promise<readonly Row[]> {
    const chunk: Row[] = []
    const candidates: Candidate<Row>[] = []
    for (const row of rows) {
      chunk.push(row)
      const candidate = this.#checkRow(row)
      if (candidate) candidates.push(candidate)
    }
    this.result.rows += chunk.length
    const { unique } = this.#adapter
    const accepted = await unique.accept(candidates, ({ row }, error) =>
      this.#adapter.addError(row, error),
    )
    const hasErrors = chunk.some(({ errors }) => errors.length > 0)
    if (this.#effect !== 'validate' && !(hasErrors && this.#adapter.isAllOrNone))
      await this.#apply(accepted)
    for (const row of chunk) {
      if (row.errors.length > 0) await this.#reject(row)
      else this.result.addWarnings(row.line, row.warnings)
    }
    return chunk
  }

  /** Waits for the current write, also if it fails. */
  async settle(): Promise<void> {
    await this.#writing
  }

  /** Waits for the last write and throws its error; records the import if it was written. */
  async finish(): Promise<void> {
    await this.awaitWrite()
    if (this.#effect === 'write')
      await this.#destination.recordImport(this.#rules.collection, this.result.validRows)
  }

  /** Waits for the current write and throws its error. */
  async awaitWrite(): Promise<void> {
    const failed = await this.#writing
    if (failed) throw failed.error
  }

  #checkRow(row: Row): Candidate<Row> | undefined {
    // A row that is no record has an error already.
    if (row.id === '' && row.errors.length > 0) return undefined
    const before: Values | undefined =
      row.document === undefined ? undefined : JSON.parse(row.document)
    const merged = row.merged ?? this.#rules.merge(before, row.patch)
    if ('errors' in merged) {
      for (const error of merged.errors) this.#adapter.addError(row, error)
      return undefined
    }
    if (row.errors.length > 0) return undefined
    this.#adapter.check(row, merged.value, before)
    return row.errors.length > 0 ? undefined : { row, record: merged.value, before }
  }

  /** Counts the changes of valid rows, and writes them while the next rows are read: no later row is of the same records. */
  async #apply(candidates: readonly Candidate<Row>[]): Promise<void> {
    const changed = await this.#findChanged(candidates)
    await this.awaitWrite()
    if (this.#effect === 'preview') return this.#count({ candidates, changed })
    this.#writing = this.#write({ candidates, changed }).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
  }

  /** Returns the candidates that change something, with derived values. */
  async #findChanged(candidates: readonly Candidate<Row>[]): Promise<Candidate<Row>[]> {
    const completed = await this.#destination.addDerived(
      this.#rules,
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
        this.#adapter.note?.(record.id, after)
        return before === undefined || !isSameJson(after, before)
      })
  }

  /** Writes the changes of a chunk. Merges its rows again if another request changed their records meanwhile. */
  async #write(chunk: Attempt<Row>): Promise<void> {
    let attempt = chunk
    let lost: Attempt<Row> | undefined
    const lastAttempt = await retryWhileChanged(async () => {
      // With nothing left to write, the write whose response was lost succeeded.
      if (attempt.changed.length === 0) return lost ?? attempt
      try {
        const put = attempt.changed.map(({ record }) => record)
        const holders = this.#adapter.unique.holders(put)
        const { changed, taken } = await this.#destination.write(this.#rules, put, holders)
        if (changed.length + taken.length === 0) return attempt
        if (changed.length === 0) await this.#rejectTaken(attempt.changed, taken)
      } catch (error) {
        if (lost || !isConnectionLost(error)) throw error
        lost = attempt
      }
      attempt = await this.#mergeAgain(attempt.candidates)
      return undefined
    })
    // Unchanged responses too: importing a file again completes an import that was interrupted here.
    await this.#destination.fillPeople(lastAttempt.candidates.map(({ record }) => record))
    this.#count(lastAttempt)
  }

  async #rejectTaken(
    candidates: readonly Candidate<Row>[],
    taken: readonly { field: string; value: string }[],
  ): Promise<void> {
    for (const { row, record } of candidates) {
      for (const { field } of listUniqueValues(this.#rules, [record]).filter((unique) =>
        taken.some(({ field, value }) => field === unique.field && value === unique.value),
      ))
        this.#adapter.addError(row, { field, message: messages.notUnique, code: 'not_unique' })
      if (row.errors.length > 0) await this.#reject(row)
    }
  }

  /** Merges rows into the records as they are now, and rejects rows that are invalid by now. */
  async #mergeAgain(candidates: readonly Candidate<Row>[]): Promise<Attempt<Row>> {
    const rows = candidates.map(({ row }) => row).filter(({ errors }) => errors.length === 0)
    const documents = await this.#destination.readDocuments(
      this.#rules.collection,
      rows.map(({ id }) => id),
    )
    const merged: Candidate<Row>[] = []
    for (const row of rows) {
      const document = documents.get(row.id)
      const before: Values | undefined = document === undefined ? undefined : JSON.parse(document)
      const result = this.#rules.merge(before, row.patch)
      if ('value' in result) merged.push({ row, record: result.value, before })
      else {
        for (const error of result.errors) this.#adapter.addError(row, error)
        await this.#reject(row)
      }
    }
    if (this.#adapter.isAllOrNone && merged.length < candidates.length)
      return { candidates: [], changed: [] }
    return { candidates: merged, changed: await this.#findChanged(merged) }
  }

  #count({ candidates, changed }: Attempt<Row>): void {
    this.result.unchanged += candidates.length - changed.length
    for (const { row, record, before } of changed) this.result.addWritten(row.line, before, record)
  }

  async #reject(row: Row): Promise<void> {
    this.result.addRejected(row.line, row.errors)
    await this.#adapter.reject?.(row)
  }
}
