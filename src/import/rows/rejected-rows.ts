import { escapeFormula, unescapeFormula } from '../../model/cell-text.ts'
import type { SourceRow } from './table.ts'

/** The extra columns in a file of rejected rows. A person fills in `record`. */
export const rejectionColumns = {
  line: 'Line in the file',
  reasons: 'Why it was not imported',
  record: 'Record to change',
} as const

/** The record that a person chose for a rejected row, and whether the row repeated an earlier one. */
export type RejectionCells = { chosenRecord: string; wasDuplicate: boolean }

/** The error for a row with the same record as an earlier row. */
export const duplicateLineReason = 'is already used on an earlier line.'

/** The error for such a row in a file of rejected rows, until a person chooses its record. */
export const duplicateRecordReason = `was used on an earlier line and belongs to a record: correct it, or import these rows in the dashboard and choose there. “new” in “${rejectionColumns.record}” adds a record.`

/** A function that reads the extra columns of a rejected row. A row without them has no chosen record. */
export function createRejectionReader(
  headings: readonly string[],
): (row: SourceRow) => RejectionCells {
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

export const isRejectionColumn = (heading: string): boolean =>
  Object.values(rejectionColumns).some((column) => column === heading)

/** Headings without the extra columns of rejected rows. */
export const dataHeadings = (headings: readonly string[]): string[] =>
  headings.filter((heading) => !isRejectionColumn(heading))

/** A CSV writer for rejected rows, with their lines and reasons. */
export class RejectedRowsWriter {
  readonly #columns: readonly (readonly [at: number, heading: string])[]

  constructor(headings: readonly string[]) {
    this.#columns = [...headings.entries()].filter(([, heading]) => !isRejectionColumn(heading))
  }

  get header(): string {
    const { line, reasons, record } = rejectionColumns
    return `\uFEFF${formatRow([...this.#columns.map(([, heading]) => heading), line, reasons, record])}`
  }

  row({ line, cells }: SourceRow, reasons: readonly string[], chosenRecord = ''): string {
    const dataCells = this.#columns.map(([index]) => cells[index] ?? '')
    return formatRow([...dataCells, String(line), reasons.join(' '), chosenRecord])
  }
}

// Empty cells stay empty: escapeFormula would put a quote in them.
const formatRow = (cells: readonly string[]) =>
  `${cells.map((cell) => `"${(cell && escapeFormula(cell)).replaceAll('"', '""')}"`).join(',')}\r\n`
