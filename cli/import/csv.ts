import { Readable } from 'node:stream'
import { CsvError, type Info, parse } from 'csv-parse'
import type { Read } from './read.ts'
import type { Target } from './target.ts'
import { Unreadable } from './unreadable.ts'

/** The records of a CSV text: a column is a property by its dotted path, and an empty cell has no value. */
export async function* csvRecords(
  text: AsyncIterable<string>,
  target: Target,
): AsyncGenerator<Read> {
  const rows = Readable.from(text).compose(parse({ bom: true, info: true, skip_empty_lines: true }))
  let columns: string[] | undefined
  try {
    for await (const { record, info } of rows as AsyncIterable<{ record: string[]; info: Info }>) {
      if (columns) {
        yield { line: info.lines, value: assembled(columns, record, target) }
      } else {
        columns = record.map((column) => column.trim())
        refuseUnknown(columns, target)
      }
    }
  } catch (error) {
    // The library's message quotes the row.
    if (error instanceof CsvError)
      throw new Unreadable(Number(error.lines ?? 0), 'is not valid CSV.')
    throw error
  }
  if (!columns) throw new Unreadable(1, 'has no row of column names.')
}

function refuseUnknown(columns: string[], target: Target): void {
  const unknown = columns.filter((column) => !target.cell(column))
  if (unknown.length > 0) throw new Unreadable(1, `has unknown columns: ${unknown.join(', ')}.`)
  const doubled = columns.filter((column, place) => columns.indexOf(column) !== place)
  if (doubled.length > 0) throw new Unreadable(1, `has columns twice: ${doubled.join(', ')}.`)
}

function assembled(columns: string[], cells: string[], target: Target): unknown {
  const record: Record<string, unknown> = {}
  for (const [place, column] of columns.entries()) {
    const cell = cells[place] ?? ''
    const read = target.cell(column)
    if (cell !== '' && read) put(record, target.nested ? column.split('.') : [column], read(cell))
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
