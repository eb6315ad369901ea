import { escapeFormula, unescapeFormula } from '../../model/cell-text.ts'
import type { Row } from './table.ts'

/** The columns that the rows that were not imported have besides their own: `record` is filled in by a person. */
export const rejectionColumns = {
  line: 'Line in the file',
  reasons: 'Why it was not imported',
  record: 'Record to change (its id, or new)',
} as const

/** What the rest of another file says of a row: the record that a person chose for it, and whether it repeated an earlier row. */
export type RejectionCells = { chosenRecord: string; wasDuplicate: boolean }

/** The message that rejects a row of the same record as an earlier row. */
export const duplicateLineReason = 'is already used on an earlier line.'

/** The message that rejects such a row again, until a person chooses its record. */
export const duplicateRecordReason = `was used on an earlier line, and belongs to a stored record: correct it, or write the id of the record to change in "${rejectionColumns.record}".`

/** Returns a function that reads the columns of the rest; without them, a row has no choice. */
export function createRejectionReader(headings: readonly string[]): (row: Row) => RejectionCells {
  const reasons = headings.indexOf(rejectionColumns.reasons)
  const record = headings.indexOf(rejectionColumns.record)
  return ({ cells }) => {
    const message = cells[reasons] ?? ''
    return {
      chosenRecord: unescapeFormula(cells[record] ?? '').trim(),
      wasDuplicate: [duplicateLineReason, duplicateRecordReason].some((repeat) =>
        message.includes(repeat),
      ),
    }
  }
}

/** Whether a column of a file is there because the file is the rest of another. */
export const isRejectionColumn = (heading: string): boolean =>
  Object.values(rejectionColumns).some((column) => column === heading)

/** Returns the headings of a file without those of the rest. */
export const dataHeadings = (headings: readonly string[]): string[] =>
  headings.filter((heading) => !isRejectionColumn(heading))

/** Writes the rows of a table that were not imported as CSV, with their lines and the reasons. */
export class RejectedRowsWriter {
  readonly #columns: readonly (readonly [at: number, heading: string])[]

  constructor(headings: readonly string[]) {
    this.#columns = [...headings.entries()].filter(([, heading]) => !isRejectionColumn(heading))
  }

  /** The row of headings. */
  get header(): string {
    const { line, reasons, record } = rejectionColumns
    return `\uFEFF${formatRow([...this.#columns.map(([, heading]) => heading), line, reasons, record])}`
  }

  row({ line, cells }: Row, reasons: readonly string[], chosenRecord = ''): string {
    const dataCells = this.#columns.map(([index]) => cells[index] ?? '')
    return formatRow([...dataCells, String(line), reasons.join(' '), chosenRecord])
  }
}

// An empty cell stays empty: a quote in it would be the id of a record.
const formatRow = (cells: readonly string[]) =>
  `${cells.map((cell) => `"${(cell && escapeFormula(cell)).replaceAll('"', '""')}"`).join(',')}\r\n`
