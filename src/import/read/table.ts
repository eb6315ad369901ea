import { UnreadableFileError } from '../read.ts'
import type { Encoding } from './encoding.ts'

/** A row of a table: its line in the file, its cells as text, and whether it only adds up the others. */
export type Row = { line: number; cells: readonly string[]; isTotal?: true }

/** How a file holds its table. */
export type Format =
  | { kind: 'csv'; encoding: Encoding; separator: string }
  | { kind: 'xlsx'; sheet: string; sheets: string[] }
  | { kind: 'json' | 'ndjson'; encoding: Encoding }

/** A file as a table: what its columns are called, the line that says so, and the rows below it, which can be read again. */
export type Table = {
  format: Format
  headings: string[]
  headingLine: number
  rows(): AsyncGenerator<Row>
}

/** As many fields as a schema may have. */
export const maxColumns = 2000

/** Throws UnreadableFileError for a row of more cells than a table may have columns. */
export function rejectWideRow(cells: number, line: number): void {
  if (cells <= maxColumns) return
  throw new UnreadableFileError(
    line,
    `has ${cells.toLocaleString('en-GB')} columns; a table may have ${maxColumns.toLocaleString('en-GB')}.`,
  )
}
