import { formatNumber } from '../../platform/format-number.ts'
import type { HeadingDay } from '../parse/heading-days.ts'
import type { Encoding } from '../source/encoding.ts'
import { UnreadableFileError } from '../source/source.ts'

/**
 * A row of a table: its line in the file, its cells as text, and whether it is a row of totals. In a sheet of ticks,
 * several rows have one row of the file as their `origin`.
 */
export type SourceRow = {
  line: number
  cells: readonly string[]
  isTotal?: true
  origin?: SourceRow
}

/** A table's file format. */
export type FileFormat =
  | { kind: 'csv'; encoding: Encoding; separator: string }
  | WorkbookFormat
  | { kind: 'json' | 'ndjson'; encoding: Encoding }

type WorkbookFormat = { kind: 'xlsx'; sheet: string; sheets: string[] }

/** A file's format as a workbook; undefined if it has no sheets. */
export const asWorkbook = (format: FileFormat): WorkbookFormat | undefined =>
  'sheet' in format ? format : undefined

/** A file as a table: its headings, their line, and the rows below. The rows can be read again. */
export type SourceTable = {
  format: FileFormat
  headings: string[]
  headingLine: number
  rows(): AsyncGenerator<SourceRow>
  /** The sheet of ticks that the rows come from. */
  ticks?: TickSheet
}

/** A sheet with a row for each person, a column for each day, and marks of who came. */
export type TickSheet = {
  /** The table as in the file. */
  matrix: SourceTable
  days: readonly TickDay[]
  /** The headings of the columns with the day and with the mark. */
  dayHeading: string
  markHeading: string
  /** The headings of columns with totals, which are skipped. */
  totals: readonly string[]
}

export type TickDay = { heading: string; day: HeadingDay }

/** Equal to the maximum number of fields in a schema. */
export const maxColumns = 2000

/** Throws UnreadableFileError if a row has more than `maxColumns` cells. */
export function rejectWideRow(cells: number, line: number): void {
  if (cells <= maxColumns) return
  throw new UnreadableFileError(
    line,
    `has ${formatNumber(cells)} columns; a table may have ${formatNumber(maxColumns)}.`,
  )
}

/** A column's letters in a spreadsheet: A to Z, AA, AB, … */
export const columnLetters = (index: number): string =>
  (index < 26 ? '' : columnLetters(Math.floor(index / 26) - 1)) +
  String.fromCharCode(65 + (index % 26))

const maxChunkRows = 500
const maxChunkCharacters = 300_000

/** Yields the rows of a table in chunks, to process them in batches. The rows of one line stay together. */
export async function* readRowChunks(table: SourceTable): AsyncGenerator<SourceRow[]> {
  let rows: SourceRow[] = []
  let characters = 0
  for await (const row of table.rows()) {
    const isFull = rows.length >= maxChunkRows || characters > maxChunkCharacters
    if (isFull && rows.at(-1)?.line !== row.line) {
      yield rows
      rows = []
      characters = 0
    }
    rows.push(row)
    for (const cell of row.cells) characters += cell.length
  }
  if (rows.length > 0) yield rows
}

export function describeFormat(format: FileFormat): string {
  switch (format.kind) {
    case 'csv':
      return `text with ${separatorNames[format.separator] ?? 'commas'} between its cells`
    case 'xlsx':
      return `the sheet "${format.sheet}"`
    case 'json':
    case 'ndjson':
      return 'a data file of another program'
  }
}

const separatorNames: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
}
