import { setProperty } from '../model/json.ts'
import { isKind, type Values } from '../model/properties/schema.ts'
import type { ValidationError } from '../model/validation-error.ts'
import { attendanceOf } from '../sign-up/register/attendance.ts'
import { movesBooking } from './candidates/booking-event.ts'
import { type ConvertedRow, RowConverter } from './candidates/convert-row.ts'
import type { CellError, CellMessage, ImportRow } from './candidates/import-row.ts'
import { type IdentifiedRow, RecordMatcher } from './candidates/match-records.ts'
import { didCome, type MemberDestination, NewMembers } from './candidates/new-members.ts'
import { resolveLinks } from './candidates/resolve-links.ts'
import { applyRowAnswers, noAnswers, type RowAnswers } from './candidates/row-answers.ts'
import {
  type FindDuplicates,
  SimilarPeople,
  undecidedPersonReason,
} from './candidates/similar-people.ts'
import type { TableRules } from './candidates/table-rules.ts'
import { UniqueInChunks } from './candidates/unique-values.ts'
import type { RecordDestination } from './destination/destination.ts'
import { ImportPass } from './import-pass.ts'
import { needsEvent } from './mapping/mapping.ts'
import type { ImportResult } from './report/import-result.ts'
import { readRowChunks, type SourceRow, type SourceTable } from './rows/table.ts'
import { ImportInterruptedError } from './source/source.ts'

/** Import options: whether to write valid rows, a person's answers, and callbacks for rejected rows and progress. */
type TableImportOptions = {
  writes: boolean
  answers?: RowAnswers
  /** Where booked people become members, if the mapping says so. */
  members?: MemberDestination | undefined
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
  { mapping, targetFields, target, schemas }: TableRules,
  destination: RecordDestination,
  { writes, answers = noAnswers, members, findDuplicates, rejected, progress }: TableImportOptions,
): Promise<ImportResult> {
  const answered = applyRowAnswers(table, answers, mapping.id.columns)
  const converter = new RowConverter(mapping, answered.headings, targetFields)
  const matcher = new RecordMatcher(destination, { mapping, targetFields })
  const newMembers =
    mapping.addsMembers && members
      ? new NewMembers(members, mapping, { answers, writes })
      : undefined
  const fields = isKind(mapping.collection) ? schemas[mapping.collection]?.fields : undefined
  const similar = findDuplicates && new SimilarPeople(fields ?? [])
  const idHeading = mapping.id.columns.join(' + ')
  const pass = new ImportPass<TableRow>(target, destination, writes ? 'write' : 'preview', {
    unique: new UniqueInChunks(destination, target),
    /** Adds an error under the heading of its column, unless that column already has one. */
    addError(row, { field, message, code }: ValidationError) {
      const path = field.replace(/(?:\.\d+)+$/, '')
      const heading = converter.headingFor(path)
      const column = heading ?? (path === target.id ? idHeading : '')
      if (row.errors.some((error) => error.column === column && column !== '')) return
      const value = row.values.get(path)
      const isEventMissing = path === 'eventId' && code === 'required' && needsEvent(mapping)
      row.errors.push({
        column,
        message: isEventMissing
          ? `${message} Name it by --event, or in a column.`
          : heading || !path
            ? message
            : `${path} ${message}`,
        code,
        value: typeof value === 'string' ? value : JSON.stringify(value ?? ''),
      })
    },
    check(row, { document }, before) {
      const after: Values = JSON.parse(document)
      if (!before) similar?.add(row.line, after, row.chosenRecord !== '')
      if (!movesBooking(mapping, { row, before, after }))
        return matcher.notePerson(row.id, before, after)
      const message = 'is that of a booking for another event: choose another id.'
      row.errors.push({
        column: idHeading,
        message,
        code: 'conflict',
        value: row.key.join(' '),
      })
    },
    note: (id, ...versions) => matcher.notePerson(id, ...versions),
    reject: (row) => rejected?.(row.row, row.errors.map(formatReason), row.chosenRecord),
  })
  const toPatch = (row: IdentifiedRow) => {
    const patch: Record<string, unknown> = {}
    const unchanged = answers.unchangedFields.get(row.row.line)
    for (const [path, value] of row.values) {
      // A person keeps the stored values of a whole top-level property.
      if (unchanged?.has(path.split('.')[0] ?? '') || unchanged?.has(path)) continue
      if (row.document !== undefined || value !== null)
        setProperty(patch, target.isNested ? path.split('.') : [path], value)
    }
    setProperty(patch, [target.id], row.id)
    return patch
  }
  try {
    for await (const chunk of readRowChunks(answered)) {
      for (const row of chunk.filter(({ isTotal }) => isTotal))
        pass.result.addWarnings(row.line, [describeTotals(row)])
      const rows = chunk.filter(({ isTotal }) => !isTotal).map((row) => converter.convert(row))
      for (const row of rows) if (answers.leftOut.has(row.row.line)) row.errors.push(leftOutError)
      await resolveLinks(destination, schemas, rows)
      if (mapping.marksAttendance) for (const row of rows) markAttendance(row)
      await newMembers?.link(rows)
      const identify = await matcher.prepare(rows)
      await pass.importChunk(
        rows.values().map((converted) => {
          const row = identify(converted)
          return { ...row, line: row.row.line, patch: toPatch(row) }
        }),
      )
      progress?.(pass.result.rows)
    }
    await pass.finish()
  } catch (error) {
    await pass.stop()
    const { writtenRecords, rows } = pass.result
    if (!writes || writtenRecords === 0) throw error
    throw new ImportInterruptedError(name, writtenRecords, rows, error)
  }
  const { unmappedWithValues: leftOut, unlisted } = converter
  return pass.result.build({
    leftOut,
    unlisted,
    repeated: matcher.repeated,
    similar: similar && findDuplicates ? await similar.list(findDuplicates) : [],
    addedMembers: newMembers?.added ?? 0,
    unclearMembers: newMembers?.unclear ?? [],
  })
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
