import { Readable } from 'node:stream'
// Not papaparse, which the postcode directory is read with: this one says which line a row is on.
import { CsvError, type Info, parse } from 'csv-parse'
import { unguarded } from '../model/cell-text.ts'
import { longestRecord, type Read, tooLong, Unreadable } from './read.ts'
import type { Target } from './target.ts'

/** The records of a CSV text: a column is a property by its dotted path, and an empty cell has no value. What an export put before what might be a formula is taken off. */
export async function* csvRecords(
  text: AsyncIterable<string>,
  target: Target,
): AsyncGenerator<Read> {
  const rows = Readable.from(text).compose(
    parse({
      info: true,
      relax_column_count: true,
      skip_records_with_empty_values: true,
      max_record_size: longestRecord,
    }),
  )
  let columns: string[] | undefined
  let countedTwice = 0
  try {
    for await (const { record, info } of rows as AsyncIterable<{ record: string[]; info: Info }>) {
      // The parser counts lines up to a row's end, and \r\n in a quoted cell as two.
      countedTwice += occurrences(record, /\r\n/g)
      const line = info.lines - countedTwice - occurrences(record, /\r\n|\r|\n/g)
      if (!columns) {
        columns = record.map((column) => columnOf(column, target))
        refuseUnfit(columns, target, line)
      } else if (record.length !== columns.length) {
        yield { line, broken: `has ${record.length} cells for ${columns.length} columns.` }
      } else {
        yield { line, value: assembled(columns, record, target) }
      }
    }
  } catch (error) {
    // The library's message quotes the row.
    if (!(error instanceof CsvError)) throw error
    const reason = error.code === 'CSV_MAX_RECORD_SIZE' ? tooLong : 'is not valid CSV.'
    throw new Unreadable(Number(error.lines ?? 0), reason)
  }
  if (!columns) throw new Unreadable(1, 'has no row of column names.')
}

function columnOf(cell: string, target: Target): string {
  const column = unguarded(cell)
  return target.cell(column) ? column : column.trim()
}

const occurrences = (cells: string[], pattern: RegExp) =>
  cells.reduce((sum, cell) => sum + (cell.match(pattern)?.length ?? 0), 0)

function refuseUnfit(columns: string[], target: Target, line: number): void {
  const unknown = columns.filter((column) => !target.cell(column))
  // Without one known column this is no row of names, and what it holds may be personal.
  if (unknown.length === columns.length) {
    throw new Unreadable(line, `has no row of column names: none is of ${target.collection}.`)
  }
  if (unknown.includes('')) throw new Unreadable(line, 'has a column without a name.')
  if (unknown.length > 0) {
    // Not by what they are called, which may be a row of values.
    const places = columns.flatMap((column, place) => (target.cell(column) ? [] : [letters(place)]))
    const told = places.length > 20 ? [...places.slice(0, 20), '…'] : places
    throw new Unreadable(line, `has columns whose names are not known: ${told.join(', ')}.`)
  }
  const doubled = columns.filter(
    (column, place) =>
      columns.indexOf(column) !== place ||
      (target.nested && columns.some((whole) => column.startsWith(`${whole}.`))),
  )
  if (doubled.length > 0) throw new Unreadable(line, `has columns twice: ${doubled.join(', ')}.`)
}

/** A column as a spreadsheet calls it: A to Z, AA, AB, … */
const letters = (place: number): string =>
  (place < 26 ? '' : letters(Math.floor(place / 26) - 1)) + String.fromCharCode(65 + (place % 26))

function assembled(columns: string[], cells: string[], target: Target): unknown {
  const record: Record<string, unknown> = {}
  for (const [place, column] of columns.entries()) {
    const cell = cells[place] ?? ''
    const read = target.cell(column)
    const value = cell === '' ? undefined : read?.(unguarded(cell))
    if (value !== undefined) put(record, target.nested ? column.split('.') : [column], value)
  }
  return record
}

function put(
  record: Record<string, unknown>,
  [name = '', ...rest]: string[],
  value: unknown,
): void {
  if (rest.length === 0) {
    Object.defineProperty(record, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
    return
  }
  const inner = (record[name] ?? {}) as Record<string, unknown>
  record[name] = inner
  put(inner, rest, value)
}
