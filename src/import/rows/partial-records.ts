import { unescapeFormula } from '../../model/cell-text.ts'
import { setProperty } from '../../model/json.ts'
import {
  type ParsedRecord,
  parseRecord,
  readUtf8,
  type Source,
  UnreadableFileError,
} from '../source/source.ts'
import type { ImportTarget } from '../targets/target.ts'
import { readCsvRows } from './csv-rows.ts'
import { readJsonElements } from './json-elements.ts'
import { isJsonLines, readLines } from './json-lines.ts'
import { columnLetters } from './table.ts'

/** Yields the records of a JSON, NDJSON or CSV file. Throws UnreadableFileError if the file as a whole is unreadable. */
export async function* readPartialRecords(
  source: Source,
  target: ImportTarget,
): AsyncGenerator<ParsedRecord> {
  const [, extension] = /\.(csv|ndjson|json)$/i.exec(source.name) ?? []
  const text = readUtf8(source)
  switch (extension?.toLowerCase()) {
    case 'csv':
      return yield* readCsvRecords(text, target)
    case 'ndjson':
      return yield* readNdjsonRecords(text)
    case 'json':
      return yield* (await isJsonLines(readUtf8(source), target.plural))
        ? readNdjsonRecords(text)
        : readJsonRecords(text, target)
    default:
      throw new UnreadableFileError(0, 'must be a .json, .ndjson or .csv file.')
  }
}

async function* readNdjsonRecords(chunks: AsyncIterable<string>): AsyncGenerator<ParsedRecord> {
  for await (const { line, text } of readLines(chunks)) {
    if (text.trim() !== '') yield parseRecord(line, text)
  }
}

async function* readJsonRecords(
  chunks: AsyncIterable<string>,
  target: ImportTarget,
): AsyncGenerator<ParsedRecord> {
  for await (const { line, text } of readJsonElements(chunks, target.plural))
    yield parseRecord(line, text)
}

/** Yields the records of a CSV text: each column is a property by its dotted path, and an empty cell clears it. Removes the `'` that exports put before possible formulas. */
export async function* readCsvRecords(
  text: AsyncIterable<string>,
  target: ImportTarget,
): AsyncGenerator<ParsedRecord> {
  let columns: string[] | undefined
  for await (const { line, cells } of readCsvRows(text)) {
    if (!columns) {
      columns = cells.map((column) => toColumnName(column, target))
      validateColumns(columns, target, line)
    } else if (cells.length !== columns.length) {
      yield { line, broken: `has ${cells.length} cells for ${columns.length} columns.` }
    } else {
      yield { line, value: buildRecord(columns, cells, target) }
    }
  }
  if (!columns) throw new UnreadableFileError(1, 'has no row of column names.')
}

function toColumnName(cell: string, target: ImportTarget): string {
  const column = unescapeFormula(cell)
  return target.cellParser(column) ? column : column.trim()
}

function validateColumns(columns: string[], target: ImportTarget, line: number): void {
  const unknown = columns.filter((column) => !target.cellParser(column))
  // Without a known column this is not a heading row: omit its cells, which may be personal.
  if (unknown.length === columns.length) {
    throw new UnreadableFileError(
      line,
      `has no row of column names: none is of ${target.collection}.`,
    )
  }
  if (unknown.includes('')) throw new UnreadableFileError(line, 'has a column without a name.')
  if (unknown.length > 0) {
    // Name columns by letter: a heading may be a personal value.
    const letters = columns.flatMap((column, index) =>
      target.cellParser(column) ? [] : [columnLetters(index)],
    )
    const shownLetters = letters.length > 20 ? [...letters.slice(0, 20), '…'] : letters
    throw new UnreadableFileError(line, `has unknown columns: ${shownLetters.join(', ')}.`)
  }
  const duplicates = columns.filter(
    (column, index) =>
      columns.indexOf(column) !== index ||
      (target.isNested && columns.some((parent) => column.startsWith(`${parent}.`))),
  )
  if (duplicates.length > 0)
    throw new UnreadableFileError(line, `has columns twice: ${duplicates.join(', ')}.`)
}

function buildRecord(columns: string[], cells: string[], target: ImportTarget): unknown {
  const record: Record<string, unknown> = {}
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? ''
    const parser = target.cellParser(column)
    const value = cell === '' ? parser?.empty : parser?.parse(unescapeFormula(cell))
    if (value !== undefined)
      setProperty(record, target.isNested ? column.split('.') : [column], value)
  }
  return record
}
