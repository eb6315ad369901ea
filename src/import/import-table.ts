import { setProperty } from '../model/json.ts'
import type { Values } from '../model/properties/schema.ts'
import type { ErrorCode, ValidationError } from '../model/validation-error.ts'
import { attendanceOf } from '../sign-up/register/attendance.ts'
import type { NewDocument } from '../store/write/put.ts'
import { type ConvertedRow, RowConverter } from './candidates/convert-row.ts'
import type { CellError, CellMessage, ImportRow } from './candidates/import-row.ts'
import { type IdentifiedRow, RecordMatcher } from './candidates/match-records.ts'
import { didCome, type MemberDestination, NewMembers } from './candidates/new-members.ts'
import { resolveLinks } from './candidates/resolve-links.ts'
import { applyRowAnswers, noAnswers, type RowAnswers } from './candidates/row-answers.ts'
import { isMarkedProperty, SheetEvents } from './candidates/sheet-events.ts'
import {
  type FindDuplicates,
  SimilarPeople,
  undecidedPersonReason,
} from './candidates/similar-people.ts'
import type { TableRules } from './candidates/table-rules.ts'
import { UniqueInChunks } from './candidates/unique-values.ts'
import type { RecordDestination } from './destination/destination.ts'
import { type FileRows, importRows } from './import-rows.ts'
import { needsEvent } from './mapping/mapping.ts'
import type { ImportReport } from './report/import-report.ts'
import type { TableImportResult } from './report/import-result.ts'
import { readRowChunks, type SourceRow, type SourceTable } from './rows/table.ts'
import { ImportInterruptedError } from './source/source.ts'
import { parentOf } from './targets/parents.ts'

/** Import options: whether to write valid rows, a person's answers, and callbacks for rejected rows and progress. */
type TableImportOptions = {
  writes: boolean
  answers?: RowAnswers
  /** Where booked people become members, if the mapping says so. */
  members?: MemberDestination | undefined
  /** Where the days of a sheet of ticks become dates of a series, if the mapping says so. */
  events?: RecordDestination | undefined
  /** Finds stored people who may be the same as new ones. */
  findDuplicates?: FindDuplicates | undefined
  rejected?: (row: SourceRow, reasons: readonly string[], choice: string) => void | Promise<void>
  progress?: (rows: number) => void
}

type TableRow = IdentifiedRow & ImportRow

/** Imports a table by its mapping: counts the changes and, if `writes` is true, stores the valid rows. Properties without a column keep their values. */
export async function importTable(
  name: string,
  table: SourceTable,
  rules: TableRules,
  destination: RecordDestination,
  options: TableImportOptions,
): Promise<TableImportResult> {
  const rows = new MappedRows(name, table, rules, destination, options)
  const report = await importRows(rows, destination, options.writes ? 'write' : 'preview')
  return { ...report.result, rows: report.rows, ...report.review, ...(await rows.review()) }
}

/** The rows of a table as records of the mapping's collection. */
class MappedRows implements FileRows<TableRow> {
  readonly target: TableRules['target']
  readonly unique: UniqueInChunks
  readonly #name: string
  readonly #table: SourceTable
  readonly #rules: TableRules
  readonly #destination: RecordDestination
  readonly #options: TableImportOptions
  readonly #answers: RowAnswers
  readonly #converter: RowConverter
  readonly #matcher: RecordMatcher
  readonly #newMembers: NewMembers | undefined
  readonly #sheetEvents: SheetEvents | undefined
  readonly #similar: SimilarPeople | undefined
  /** The headings of the columns that identify a record. */
  readonly #idHeading: string
  readonly #rejectedLines = new Set<number>()

  constructor(
    name: string,
    table: SourceTable,
    rules: TableRules,
    destination: RecordDestination,
    options: TableImportOptions,
  ) {
    const { mapping, target, targetFields } = rules
    const { answers = noAnswers, members, findDuplicates, writes } = options
    this.#name = name
    this.#rules = rules
    this.#destination = destination
    this.#options = options
    this.#answers = answers
    this.#table = applyRowAnswers(table, answers, mapping.id.columns)
    this.#converter = new RowConverter(mapping, this.#table.headings, targetFields)
    const { ticks, headings } = this.#table
    if (ticks && mapping.ticks)
      this.#sheetEvents = new SheetEvents(ticks, headings, mapping, destination)
    this.#matcher = new RecordMatcher(destination, rules, this.#sheetEvents)
    this.#idHeading = mapping.id.columns.join(' + ')
    if (mapping.addsMembers && members)
      this.#newMembers = new NewMembers(members, mapping, { answers, writes })
    if (findDuplicates) this.#similar = new SimilarPeople(rules.fields)
    this.target = target
    this.unique = new UniqueInChunks(destination, target)
  }

  async *chunks(report: ImportReport): AsyncGenerator<Iterable<TableRow>> {
    const { mapping, schemas } = this.#rules
    const { events, writes } = this.#options
    const addWarnings = report.addWarnings.bind(report)
    await this.#sheetEvents?.load(addWarnings, { events, writes })
    for await (const chunk of readRowChunks(this.#table)) {
      for (const row of chunk.filter(({ isTotal }) => isTotal))
        report.addWarnings(row.line, [describeTotals(row)])
      const converted = chunk
        .filter(({ isTotal }) => !isTotal)
        .map((row) => this.#converter.convert(row))
      for (const row of converted)
        if (this.#answers.leftOut.has(row.line)) row.errors = [leftOutError]
      await resolveLinks(this.#destination, schemas, converted)
      const rows = this.#sheetEvents?.link(converted) ?? converted
      if (mapping.marksAttendance) for (const row of rows) markAttendance(row)
      await this.#newMembers?.link(rows)
      const identify = await this.#matcher.prepare(rows)
      yield rows.values().map((converted) => {
        const row = identify(converted)
        return { ...row, patch: this.#toPatch(row) }
      })
    }
    if (writes && events) await this.#sheetEvents?.countAttendees(events)
  }

  /** Adds an error under the heading of its column, unless that column already has one. */
  addError(row: TableRow, { field, message, code }: ValidationError): void {
    const path = field.replace(/(?:\.\d+)+$/, '')
    const heading = this.#converter.headingFor(path)
    const column = heading ?? (path === this.target.id ? this.#idHeading : '')
    if (row.errors.some((error) => error.column === column && column !== '')) return
    const value = row.values.get(path)
    row.errors.push({
      column,
      message: this.#explain(path, message, code, heading !== undefined),
      code,
      value: typeof value === 'string' ? value : JSON.stringify(value ?? ''),
    })
  }

  check(row: TableRow, { document }: NewDocument, before: Values | undefined): void {
    const after: Values = JSON.parse(document)
    if (!before) this.#similar?.add(row.line, after, row.chosenRecord !== '')
    if (!this.#movesRecord(row, before, after)) {
      this.#sheetEvents?.noteMark(row.id, after)
      this.note(row.id, before, after)
      return
    }
    row.errors.push({
      column: this.#idHeading,
      message: 'is that of a booking for another event: choose another id.',
      code: 'conflict',
      value: row.key.join(' '),
    })
  }

  note(id: string, ...versions: (Values | undefined)[]): void {
    this.#matcher.notePerson(id, ...versions)
  }

  reject({ source, errors, chosenRecord }: TableRow): void | Promise<void> {
    const { origin } = source
    if (origin) {
      // A person is rejected once, with all their days.
      if (this.#rejectedLines.has(origin.line)) return
      this.#rejectedLines.add(origin.line)
      return this.#options.rejected?.(origin, errors.map(formatReason), chosenRecord)
    }
    return this.#options.rejected?.(source, errors.map(formatReason), chosenRecord)
  }

  progress(rows: number): void {
    this.#options.progress?.(rows)
  }

  explainFailure({ writtenRecords, rows }: ImportReport, cause: unknown): unknown {
    if (writtenRecords === 0) return cause
    return new ImportInterruptedError(this.#name, writtenRecords, rows, cause)
  }

  /** What a person has to know about the rows besides their changes and errors. */
  async review() {
    const { findDuplicates } = this.#options
    const { unmappedWithValues, unlisted } = this.#converter
    return {
      leftOut: unmappedWithValues,
      unlisted,
      repeated: this.#matcher.repeated,
      ambiguous: this.#matcher.ambiguous,
      similar: this.#similar && findDuplicates ? await this.#similar.list(findDuplicates) : [],
      addedMembers: this.#newMembers?.added ?? 0,
      unclearMembers: this.#newMembers?.unclear ?? [],
    }
  }

  #explain(path: string, message: string, code: ErrorCode, hasHeading: boolean): string {
    const { mapping } = this.#rules
    if (code === 'required' && path === parentOf(mapping.collection)?.path && needsEvent(mapping))
      return `${message} Name it by --event, or in a column.`
    return hasHeading || path === '' ? message : `${path} ${message}`
  }

  /** Whether a row would move a stored record to another parent without a person having chosen that record. */
  #movesRecord(row: TableRow, before: Values | undefined, after: Values): boolean {
    if (!before || row.chosenRecord === row.id) return false
    const { paths = [] } = parentOf(this.target.collection) ?? {}
    return paths.some((path) => before[path] && before[path] !== after[path])
  }

  #toPatch(row: IdentifiedRow): Values {
    const { isNested, id } = this.target
    const patch: Record<string, unknown> = {}
    const unchanged = this.#answers.unchangedFields.get(row.line)
    for (const [path, value] of row.values) {
      if (this.#sheetEvents && row.document !== undefined && !isMarkedProperty(path)) continue
      // A person keeps the stored values of a whole top-level property.
      if (unchanged?.has(path.split('.')[0] ?? '') || unchanged?.has(path)) continue
      if (row.document !== undefined || value !== null)
        setProperty(patch, isNested ? path.split('.') : [path], value)
    }
    setProperty(patch, [id], row.id)
    return patch
  }
}

/** Marks a booking on the register. Without a column that says who came, everybody on the sheet did. */
function markAttendance({ values }: ConvertedRow): void {
  const { orgStatus, attending } = attendanceOf(didCome(values))
  values.set('orgStatus', orgStatus).set('attending', attending)
}

const leftOutError: CellError = {
  column: '',
  message: undecidedPersonReason,
  code: 'conflict',
  value: '',
}

const describeTotals = ({ cells }: SourceRow): CellMessage => ({
  column: '',
  message: 'holds totals and is skipped.',
  value: cells.filter((cell) => cell.trim() !== '').join(' '),
})

const formatReason = ({ column, message }: CellMessage) =>
  column ? `${column} ${message}` : message
