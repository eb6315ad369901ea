import { isSameJson, setProperty } from '../../model/json.ts'
import type { Values } from '../../model/properties/schema.ts'
import type { ValidationError } from '../../model/validation-error.ts'
import type { NewDocument } from '../../store/write/put.ts'
import { ImportInterruptedError } from '../read/source.ts'
import type { Row, Table } from '../read/table.ts'
import { readRowChunks } from '../read/table.ts'
import { findEventError } from './booking-event.ts'
import { type CellMessage, RowConverter } from './convert-row.ts'
import type { TableDestination } from './destination.ts'
import { type IdentifiedRow, RecordMatcher } from './identify.ts'
import { resolveLinks } from './links.ts'
import { type TableResult, TableResultBuilder } from './table-result.ts'
import type { TableRules } from './table-rules.ts'
import { UniqueRows } from './unique-rows.ts'

/** Whether to write valid rows, and callbacks for rejected rows and progress. */
export type TableImportOptions = {
  writes: boolean
  rejected?: (row: Row, reasons: readonly string[], chosen: string) => void | Promise<void>
  progress?: (rows: number) => void
}

/** Converts a table's rows to records, counts the changes and, if it `writes`, stores the valid ones chunk by chunk. Values without a column stay. */
export async function importTable(
  name: string,
  table: Table,
  rules: TableRules,
  destination: TableDestination,
  options: TableImportOptions,
): Promise<TableResult> {
  const tableImport = new TableImport(table, rules, destination, options)
  try {
    for await (const rows of readRowChunks(table)) await tableImport.importRows(rows)
    await tableImport.finish()
  } catch (error) {
    await tableImport.settle()
    if (!options.writes || tableImport.writtenRecords === 0) throw error
    throw new ImportInterruptedError(
      name,
      tableImport.writtenRecords,
      tableImport.result.rows,
      error,
    )
  }
  return tableImport.result
}

/** The new and the stored record of a row. */
type Candidate = { row: IdentifiedRow; written: NewDocument; before: Values | undefined }

class TableImport {
  readonly #rules: TableRules
  readonly #destination: TableDestination
  readonly #options: TableImportOptions
  readonly #converter: RowConverter
  readonly #matcher: RecordMatcher
  readonly #uniqueRows: UniqueRows
  readonly #resultBuilder = new TableResultBuilder()
  #writing: Promise<undefined | { error: unknown }> = Promise.resolve(undefined)

  constructor(
    table: Table,
    rules: TableRules,
    destination: TableDestination,
    options: TableImportOptions,
  ) {
    this.#rules = rules
    this.#destination = destination
    this.#options = options
    this.#converter = new RowConverter(rules.mapping, table.headings, rules.targetFields)
    this.#matcher = new RecordMatcher(destination, rules.mapping)
    this.#uniqueRows = new UniqueRows(destination, rules.target)
  }

  get writtenRecords(): number {
    return this.#resultBuilder.writtenRecords
  }

  /** Waits for the current write, also if it fails. */
  async settle(): Promise<void> {
    await this.#writing
  }

  get result(): TableResult {
    return this.#resultBuilder.build(this.#converter.unmappedWithValues)
  }

  async importRows(chunk: readonly Row[]): Promise<void> {
    for (const { line, cells } of chunk.filter(({ isTotal }) => isTotal)) {
      const value = cells.filter((cell) => cell.trim() !== '').join(' ')
      this.#resultBuilder.addWarnings(line, [
        { column: '', message: 'holds totals and is skipped.', value },
      ])
    }
    const rows = chunk.filter(({ isTotal }) => !isTotal)
    const converted = rows.map((row) => this.#converter.convert(row))
    await resolveLinks(this.#destination, this.#rules.schemas, converted)
    const identify = await this.#matcher.prepare(converted)
    this.#resultBuilder.rows += rows.length
    const candidates: Candidate[] = []
    const identifiedRows: IdentifiedRow[] = []
    // One after the other, as each may repeat the one before.
    for (const convertedRow of converted) {
      const row = identify(convertedRow)
      identifiedRows.push(row)
      const candidate = this.#checkRow(row)
      if (candidate) candidates.push(candidate)
    }
    const accepted = await this.#uniqueRows.filterUnique(candidates, ({ row }, error) =>
      this.#addError(row, error),
    )
    await this.#write(await this.#findChanged(accepted))
    for (const row of identifiedRows) {
      if (row.errors.length > 0) await this.#reject(row)
      else this.#resultBuilder.addWarnings(row.row.line, row.warnings)
    }
    this.#options.progress?.(this.#resultBuilder.rows)
  }

  async finish(): Promise<void> {
    await this.#awaitWrite()
    if (!this.#options.writes) return
    const { collection } = this.#rules.target
    await this.#destination.recordImport(collection, this.#resultBuilder.validRows)
  }

  /** A row as its record, unless it has errors, which it is then told. */
  #checkRow(row: IdentifiedRow): Candidate | undefined {
    const { target } = this.#rules
    const { id, document } = row
    if (id === '') return undefined
    const before: Values | undefined = document === undefined ? undefined : JSON.parse(document)
    const input: Record<string, unknown> = {}
    for (const [path, value] of row.values) {
      if (before || value !== null)
        setProperty(input, target.isNested ? path.split('.') : [path], value)
    }
    setProperty(input, [target.id], id)
    const checked = before ? target.merge(before, input) : target.check(input)
    if ('value' in checked) return this.#toCandidate(row, checked.value, before)
    for (const error of checked.errors) this.#addError(row, error)
    return undefined
  }

  #toCandidate(
    row: IdentifiedRow,
    written: NewDocument,
    before: Values | undefined,
  ): Candidate | undefined {
    if (row.errors.length > 0) return undefined
    const after: Values = JSON.parse(written.document)
    const { mapping } = this.#rules
    const error = findEventError(mapping, { row, before, after })
    if (error) {
      const { message, code, isOfId } = error
      const column = isOfId ? mapping.id.columns.join(' + ') : this.#converter.headingFor('eventId')
      const value = isOfId ? row.key.join(' ') : ''
      row.errors.push({ column: column ?? '', message, code, value })
      return undefined
    }
    this.#matcher.notePerson(row.id, before, after)
    return { row, written, before }
  }

  /** Adds an error under the heading of its column, unless that column already has one. */
  #addError(row: IdentifiedRow, { field, message, code }: ValidationError): void {
    const path = field.replace(/(?:\.\d+)+$/, '')
    const heading = this.#converter.headingFor(path)
    const column =
      heading ?? (path === this.#rules.target.id ? this.#rules.mapping.id.columns.join(' + ') : '')
    if (row.errors.some((error) => error.column === column && column !== '')) return
    const value = row.values.get(path)
    const text = typeof value === 'string' ? value : JSON.stringify(value ?? '')
    row.errors.push({
      column,
      message: heading || !path ? message : `${path} ${message}`,
      code,
      value: text,
    })
  }

  /** Returns the candidates that change something, with derived values; counts the others. */
  async #findChanged(candidates: readonly Candidate[]): Promise<Candidate[]> {
    const known = candidates.filter(({ before }) => before)
    const completed = await this.#destination.addDerived(
      this.#rules.target,
      candidates.map(({ written }) => written),
      new Map(known.map(({ written, before }) => [written.id, before ?? {}])),
    )
    const writtenById = new Map(completed.map((record) => [record.id, record]))
    return candidates
      .map((candidate) => ({
        ...candidate,
        written: writtenById.get(candidate.written.id) ?? candidate.written,
      }))
      .filter(({ written, before }) => {
        const after: Values = JSON.parse(written.document)
        this.#matcher.notePerson(written.id, after)
        const isSame = before !== undefined && isSameJson(after, before)
        if (isSame) this.#resultBuilder.unchanged++
        return !isSame
      })
  }

  /** Keeps candidates while the next rows are read; no row is of a record that an earlier one is of. */
  async #write(candidates: readonly Candidate[]): Promise<void> {
    await this.#awaitWrite()
    const written = candidates.map(({ written }) => written)
    const isWritten = this.#options.writes && written.length > 0
    const writePromise = isWritten
      ? this.#destination.write(this.#rules.target, written)
      : Promise.resolve()
    this.#writing = writePromise.then(
      () => {
        for (const { row, written, before } of candidates)
          this.#resultBuilder.addWritten(row.row.line, before, written)
        return undefined
      },
      (error: unknown) => ({ error }),
    )
  }

  /** Waits for the current write and throws its error. */
  async #awaitWrite(): Promise<void> {
    const failed = await this.#writing
    if (failed) throw failed.error
  }

  async #reject(row: IdentifiedRow): Promise<void> {
    this.#resultBuilder.addRejected(row.row.line, row.errors)
    await this.#options.rejected?.(row.row, row.errors.map(formatReason), row.chosenRecord)
  }
}

const formatReason = ({ column, message }: CellMessage) =>
  column ? `${column} ${message}` : message
