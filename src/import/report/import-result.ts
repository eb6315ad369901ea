import { isSameJson } from '../../model/json.ts'
import { isInternalKey, type Values } from '../../model/properties/schema.ts'
import type { ErrorCode } from '../../model/validation-error.ts'
import type { WriteCounts } from '../../records/write.ts'
import type { ImportCounts } from '../../store/imports/running-import.ts'
import type { NewDocument } from '../../store/write/put.ts'
import type { CellError, CellMessage } from '../candidates/import-row.ts'
import type { RepeatedRow } from '../candidates/match-records.ts'
import type { UnclearMember } from '../candidates/new-members.ts'
import type { SimilarPerson } from '../candidates/similar-people.ts'
import type { UnlistedColumn } from '../candidates/unlisted-values.ts'
import type { Example } from '../mapping/column-facts.ts'
import { canonicalName } from '../mapping/heading-names.ts'
import { hashText } from '../mapping/value-counts.ts'
import { type ReasonGroup, ReasonGroups, truncate } from './error-groups.ts'

/** A message about the cells of a column, with its count and up to three examples. */
export type CellMessageGroup<Code = ErrorCode | undefined> = {
  column: string
  message: string
  code: Code
  count: number
  examples: Example[]
}

/** A changed record: its line, id and name, and its first changed fields with old and new values. */
type ChangedRecord = {
  line: number
  id: string
  name: string
  fields: { field: string; before: string; after: string }[]
}

/** The result of an import: counts of rows and of changes by field, errors and warnings. */
export type ImportResult = {
  rows: number
  created: number
  updated: number
  unchanged: number
  rejected: number
  changes: { field: string; records: number }[]
  /** The first changed records, and a hash of all changes. */
  changed: ChangedRecord[]
  changesHash: number
  errors: CellMessageGroup<ErrorCode>[]
  sayings: CellMessageGroup<undefined>[]
  /** Unmapped columns with values. */
  leftOut: string[]
  /** The texts that are none of their column's choices by themselves. */
  unlisted: UnlistedColumn[]
  /** The rows with the record of an earlier row. */
  repeated: readonly RepeatedRow[]
  /** The new people who may be the same as others, the most similar first. */
  similar: readonly SimilarPerson[]
  /** The number of booked people who become members, and the others with the name of a member. */
  addedMembers: number
  unclearMembers: readonly UnclearMember[]
  /** The first cells with errors, with the heading of their column. */
  invalidCells: InvalidCell[]
}

/** The parts of a result that only tables have. */
type TableParts = Pick<
  ImportResult,
  'leftOut' | 'unlisted' | 'repeated' | 'similar' | 'addedMembers' | 'unclearMembers'
>

/** A cell with an error, and its whole text. */
export type InvalidCell = Example & { column: string; message: string }

const maxExampleCharacters = 80
const maxChanged = 100
const maxChangedFields = 20
/** The maximum number of listed errors of cells, and of cells with one error. */
const maxCellErrors = 20
const maxCellsWithError = 5

/** The errors of a cell that does not depend on other rows or records. */
const cellCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['invalid_type', 'invalid_format', 'invalid_number', 'invalid_date'] as const),
  ...(['other_currency', 'other_date_order', 'clock_change', 'not_allowed'] as const),
  ...(['too_long', 'too_short', 'too_large', 'too_small'] as const),
  ...(['invalid_boolean', 'lost_digits', 'spreadsheet_error'] as const),
])

/** Counts the rows of a file by result and collects messages about them. */
export class ImportResultBuilder {
  rows = 0
  unchanged = 0
  #created = 0
  #updated = 0
  #rejected = 0
  readonly #errors = new ReasonGroups<Example, ErrorCode>('too_many_errors')
  readonly #warnings = new ReasonGroups<Example, undefined>(undefined)
  readonly #changes = new Map<string, number>()
  readonly #changed: ChangedRecord[] = []
  #changesHash = 0
  readonly #invalidCells = new Map<string, InvalidCell[]>()

  /** The number of created and updated records. */
  get writtenRecords(): number {
    return this.#created + this.#updated
  }

  /** The number of written and unchanged records. */
  get doneRecords(): number {
    return this.writtenRecords + this.unchanged
  }

  get counts(): WriteCounts {
    return { created: this.#created, updated: this.#updated, unchanged: this.unchanged }
  }

  get validRows(): number {
    return this.rows - this.#rejected
  }

  get allCounts(): ImportCounts {
    return { ...this.counts, rejected: this.#rejected }
  }

  /** Counts a created or updated record, and collects its changes. */
  addWritten(line: number, before: Values | undefined, { id, document }: NewDocument): void {
    if (!before) {
      this.#created++
      return
    }
    this.#updated++
    const after: Values = JSON.parse(document)
    const fields = diffFields(before, after)
    for (const field of fields) this.#changes.set(field, (this.#changes.get(field) ?? 0) + 1)
    const values = fields.map((field) => [field, before[field], after[field]])
    this.#changesHash = hashText(JSON.stringify([this.#changesHash, id, values]))
    if (this.#changed.length === maxChanged) return
    const shownFields = fields.slice(0, maxChangedFields).map((field) => ({
      field,
      before: formatValue(before[field]),
      after: formatValue(after[field]),
    }))
    this.#changed.push({ line, id, name: findName(before), fields: shownFields })
  }

  /** Counts a rejected row, and collects its errors. */
  addRejected(line: number, errors: readonly CellError[]): void {
    this.#rejected++
    for (const error of errors) {
      addMessage(this.#errors, line, error)
      const { column, message, value, code } = error
      const isCorrectable = cellCodes.has(code) && value.length <= maxExampleCharacters
      if (column !== '' && isCorrectable) this.#addInvalidCell({ line, column, message, value })
    }
  }

  #addInvalidCell(cell: InvalidCell): void {
    const key = JSON.stringify([cell.column, cell.message])
    const cells = this.#invalidCells.get(key) ?? []
    if (cells.length === maxCellsWithError) return
    if (cells.length > 0 || this.#invalidCells.size < maxCellErrors)
      this.#invalidCells.set(key, [...cells, cell])
  }

  addWarnings(line: number, warnings: readonly CellMessage[]): void {
    for (const warning of warnings)
      addMessage(this.#warnings, line, { ...warning, code: undefined })
  }

  build(parts: TableParts): ImportResult {
    return {
      rows: this.rows,
      created: this.#created,
      updated: this.#updated,
      unchanged: this.unchanged,
      rejected: this.#rejected,
      changes: [...this.#changes]
        .map(([field, records]) => ({ field, records }))
        .toSorted((a, b) => b.records - a.records),
      changed: this.#changed,
      changesHash: this.#changesHash,
      errors: sortByCount(this.#errors.list),
      sayings: sortByCount(this.#warnings.list),
      ...parts,
      invalidCells: [...this.#invalidCells.values()].flat(),
    }
  }
}

/** The name in a record; '' if it has none. */
function findName(values: Values): string {
  const namedValues = (...names: string[]) =>
    names.flatMap((name) => {
      const [, value] =
        Object.entries(values).find(([field]) => canonicalName(field) === name) ?? []
      return typeof value === 'string' && value !== '' ? [value] : []
    })
  const [full] = namedValues('Full Name')
  return full ?? namedValues('First Name', 'Surname').join(' ')
}

function formatValue(value: unknown): string {
  const text = typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value)
  return truncate(text, maxExampleCharacters)
}

const addMessage = <Code>(
  groups: ReasonGroups<Example, Code>,
  line: number,
  { column, message, code, value }: CellMessage & { code: Code },
) =>
  groups.add({ subject: column, message, code }, [
    { line, value: truncate(value, maxExampleCharacters) },
  ])

const sortByCount = <Code>(
  groups: readonly ReasonGroup<Example, Code>[],
): CellMessageGroup<Code>[] =>
  groups
    .map(({ subject: column, ...group }) => ({ column, ...group }))
    .toSorted((a, b) => b.count - a.count)

/** The fields that differ between two records, without derived ones (`$…`). */
const diffFields = (before: Values, after: Values): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (field) => !isInternalKey(field) && !isSameJson(before[field], after[field]),
  )
