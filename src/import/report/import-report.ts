import { isSameJson } from '../../model/json.ts'
import { isInternalKey, type Values } from '../../model/properties/schema.ts'
import type { ErrorCode } from '../../model/validation-error.ts'
import type { ImportCounts } from '../../store/imports/running-import.ts'
import type { NewDocument } from '../../store/write/put.ts'
import type { CellError, CellMessage } from '../candidates/import-row.ts'
import { canonicalName } from '../mapping/heading-names.ts'
import { hashText } from '../mapping/value-counts.ts'
import { ErrorCollector } from './error-collector.ts'
import type {
  ImportResult,
  InvalidCell,
  PreviewedChange,
  TableImportResult,
} from './import-result.ts'
import { type MessageGroup, MessageGroups, truncate } from './message-groups.ts'

const maxExampleCharacters = 80
const maxChanged = 100
const maxChangedFields = 20
/** The maximum number of listed errors of cells, and of cells with one error. */
const maxCellErrors = 20
/** One answer can correct so many cells. */
const maxCellsWithError = 500

/** The errors of a cell that does not depend on other rows or records. */
const cellCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['invalid_type', 'invalid_format', 'invalid_number', 'invalid_date'] as const),
  ...(['other_currency', 'other_date_order', 'clock_change', 'not_allowed'] as const),
  ...(['too_long', 'too_short', 'too_large', 'too_small'] as const),
  ...(['invalid_boolean', 'lost_digits', 'spreadsheet_error'] as const),
])

/** Counts the rows of a file by result, and collects their changes and messages. */
export class ImportReport {
  rows = 0
  unchanged = 0
  #created = 0
  #updated = 0
  #rejected = 0
  readonly #errors: ErrorCollector
  readonly #warnings = new MessageGroups<undefined>(undefined)
  readonly #changes = new Map<string, number>()
  readonly #changed: PreviewedChange[] = []
  #changesHash = 0
  readonly #invalidCells = new Map<string, InvalidCell[]>()

  constructor(maxErrors?: number) {
    this.#errors = new ErrorCollector(maxErrors)
  }

  /** The number of created and updated records. */
  get writtenRecords(): number {
    return this.#created + this.#updated
  }

  /** The number of written and unchanged records. */
  get doneRecords(): number {
    return this.writtenRecords + this.unchanged
  }

  get counts(): ImportCounts {
    return {
      created: this.#created,
      updated: this.#updated,
      unchanged: this.unchanged,
      rejected: this.#rejected,
    }
  }

  get result(): ImportResult {
    return {
      records: this.rows - this.#rejected,
      ...this.counts,
      errors: this.#errors.groups,
    }
  }

  /** What the rows of a table change, and the messages about its cells, the most frequent first. */
  get review(): Pick<
    TableImportResult,
    'changes' | 'changed' | 'changesHash' | 'errors' | 'warnings' | 'invalidCells'
  > {
    return {
      changes: [...this.#changes]
        .map(([field, records]) => ({ field, records }))
        .toSorted((a, b) => b.records - a.records),
      changed: this.#changed,
      changesHash: this.#changesHash,
      errors: sortByCount(this.#errors.groups),
      warnings: sortByCount(this.#warnings.list),
      invalidCells: [...this.#invalidCells.values()].flat(),
    }
  }

  /** Whether the file has the maximum number of errors, so that checking can stop. */
  get isFull(): boolean {
    return this.#errors.isFull
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

  /** Counts a rejected row, and collects its errors. Rows beyond the maximum number of errors do not count. */
  addRejected(line: number, errors: readonly CellError[]): void {
    if (!this.isFull) this.#rejected++
    this.addErrors(line, errors)
    for (const { column, message, code, value } of errors) {
      const isCorrectable = cellCodes.has(code) && value.length <= maxExampleCharacters
      if (column !== '' && isCorrectable) this.#addInvalidCell({ line, column, message, value })
    }
  }

  addErrors(line: number, errors: readonly CellError[]): void {
    this.#errors.add(line, errors)
  }

  addWarnings(line: number, warnings: readonly CellMessage[]): void {
    for (const { value, ...warning } of warnings)
      this.#warnings.add({ ...warning, code: undefined }, [{ line, value }])
  }

  #addInvalidCell(cell: InvalidCell): void {
    const key = JSON.stringify([cell.column, cell.message])
    const cells = this.#invalidCells.get(key) ?? []
    if (cells.length === maxCellsWithError) return
    if (cells.length > 0 || this.#invalidCells.size < maxCellErrors)
      this.#invalidCells.set(key, [...cells, cell])
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
  if (value === undefined || value === null) return ''
  return truncate(typeof value === 'string' ? value : JSON.stringify(value), maxExampleCharacters)
}

const sortByCount = <Code>(groups: readonly MessageGroup<Code>[]): MessageGroup<Code>[] =>
  groups.toSorted((a, b) => b.count - a.count)

/** The fields that differ between two records, without derived ones (`$…`). */
const diffFields = (before: Values, after: Values): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (field) => !isInternalKey(field) && !isSameJson(before[field], after[field]),
  )
