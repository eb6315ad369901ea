import { escapeFormula } from '../../model/cell-text.ts'
import { rejectionColumns } from '../rows/rejected-rows.ts'
import type { SourceRow, SourceTable } from '../rows/table.ts'
import { toRows } from '../rows/tick-sheet.ts'

/** A person's answers to questions about the rows of one file, by their lines. */
export type RowAnswers = {
  /** Corrected cells, by heading. */
  cells: ReadonlyMap<number, ReadonlyMap<string, string>>
  /** The record of a row: the id of a stored one, or `new`. */
  records: ReadonlyMap<number, string>
  /** Rows with newer values of the person in an earlier row, with its line. */
  earlierLines: ReadonlyMap<number, number>
  /** The member of a booking: the id of a stored one, or `new`. */
  members: ReadonlyMap<number, string>
  /** Rows that are left out, because somebody says so or has not decided about them. */
  leftOut: ReadonlySet<number>
  /** Fields that keep their stored values. */
  unchangedFields: ReadonlyMap<number, ReadonlySet<string>>
}

export const noAnswers: RowAnswers = {
  cells: new Map(),
  records: new Map(),
  earlierLines: new Map(),
  members: new Map(),
  leftOut: new Set(),
  unchangedFields: new Map(),
}

/**
 * The table with corrected cells and chosen records. Rows about the same person are one row
 * on the last of their lines, with the id of the first.
 */
export function applyRowAnswers(
  table: SourceTable,
  { cells, records, earlierLines }: Pick<RowAnswers, 'cells' | 'records' | 'earlierLines'>,
  idHeadings: readonly string[],
): SourceTable {
  if (cells.size + records.size + earlierLines.size === 0) return table
  if (table.ticks)
    return toRows(
      table.ticks,
      applyRowAnswers(table.ticks.matrix, { cells, records, earlierLines }, idHeadings),
    )
  const headings = table.headings.includes(rejectionColumns.record)
    ? table.headings
    : [...table.headings, rejectionColumns.record]
  const recordIndex = headings.indexOf(rejectionColumns.record)
  const idIndexes = new Set(idHeadings.map((heading) => headings.indexOf(heading)))
  const lastLines = new Map([...earlierLines].map(([line, earlier]) => [earlier, line]))

  const correct = (row: SourceRow): SourceRow => {
    const record = records.get(row.line)
    const corrected = Array.from(row.cells)
    for (const [heading, text] of cells.get(row.line) ?? [])
      corrected[headings.indexOf(heading)] = text
    // A text in this column may have been escaped by a spreadsheet export.
    if (record !== undefined) corrected[recordIndex] = escapeFormula(record)
    return { ...row, cells: Array.from(corrected, (cell) => cell ?? '') }
  }
  const merge = (earlier: SourceRow, row: SourceRow): SourceRow => ({
    ...row,
    cells: headings.map((_, index) => {
      const before = earlier.cells[index] ?? ''
      const after = row.cells[index] ?? ''
      return after.trim() === '' || idIndexes.has(index) ? before : after
    }),
  })
  return {
    ...table,
    headings,
    async *rows() {
      const waiting = new Map<number, SourceRow>()
      for await (const row of table.rows()) {
        const corrected = correct(row)
        const first = earlierLines.get(row.line) ?? row.line
        const earlier = waiting.get(first)
        const merged = earlier ? merge(earlier, corrected) : corrected
        if ((lastLines.get(first) ?? row.line) > row.line) waiting.set(first, merged)
        else {
          waiting.delete(first)
          yield merged
        }
      }
      // A line that no longer exists, because the file changed since the answer.
      yield* waiting.values()
    },
  }
}
