import { unguarded } from '../model/cell-text.ts'
import { putProperty } from '../model/put-property.ts'
import { columnLetters } from './column-letters.ts'
import { csvRows } from './csv-rows.ts'
import { type Read, Unreadable } from './read.ts'
import type { Target } from './target.ts'

/** The records of a CSV text: a column is a property by its dotted path, and an empty cell is null, which clears it. What an export put before what might be a formula is taken off. */
export async function* csvRecords(
  text: AsyncIterable<string>,
  target: Target,
): AsyncGenerator<Read> {
  let columns: string[] | undefined
  for await (const { line, cells } of csvRows(text)) {
    if (!columns) {
      columns = cells.map((column) => columnOf(column, target))
      refuseUnfit(columns, target, line)
    } else if (cells.length !== columns.length) {
      yield { line, broken: `has ${cells.length} cells for ${columns.length} columns.` }
    } else {
      yield { line, value: assembled(columns, cells, target) }
    }
  }
  if (!columns) throw new Unreadable(1, 'has no row of column names.')
}

function columnOf(cell: string, target: Target): string {
  const column = unguarded(cell)
  return target.cell(column) ? column : column.trim()
}

function refuseUnfit(columns: string[], target: Target, line: number): void {
  const unknown = columns.filter((column) => !target.cell(column))
  // Without one known column this is no row of names, and what it holds may be personal.
  if (unknown.length === columns.length) {
    throw new Unreadable(line, `has no row of column names: none is of ${target.collection}.`)
  }
  if (unknown.includes('')) throw new Unreadable(line, 'has a column without a name.')
  if (unknown.length > 0) {
    // Not by what they are called, which may be a row of values.
    const places = columns.flatMap((column, place) =>
      target.cell(column) ? [] : [columnLetters(place)],
    )
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

function assembled(columns: string[], cells: string[], target: Target): unknown {
  const record: Record<string, unknown> = {}
  for (const [place, column] of columns.entries()) {
    const cell = cells[place] ?? ''
    const reader = target.cell(column)
    const value = cell === '' ? reader?.empty : reader?.read(unguarded(cell))
    if (value !== undefined)
      putProperty(record, target.nested ? column.split('.') : [column], value)
  }
  return record
}
