import { Readable } from 'node:stream'
// Not papaparse, which the postcode directory is read with: this one says which line a row is on.
import { CsvError, type Info, parse } from 'csv-parse'
import { longestRecord, tooLong, Unreadable } from './read.ts'

/** A row of a CSV file: the line it begins on, and its cells. */
export type CsvRow = { line: number; cells: string[] }

/** How a CSV file is written: what is between its cells, and whether a quote within a cell that is not quoted is only a quote. */
export type CsvStyle = { delimiter?: string; relaxQuotes?: boolean }

/** The rows of a CSV text that have a value. Throws Unreadable, with the line, where the text is not CSV or a row is too long. */
export async function* csvRows(
  text: AsyncIterable<string>,
  { delimiter = ',', relaxQuotes = false }: CsvStyle = {},
): AsyncGenerator<CsvRow> {
  const rows = Readable.from(text).compose(
    parse({
      delimiter,
      info: true,
      relax_column_count: true,
      relax_quotes: relaxQuotes,
      skip_records_with_empty_values: true,
      max_record_size: longestRecord,
    }),
  )
  let countedTwice = 0
  try {
    for await (const { record, info } of rows as AsyncIterable<{ record: string[]; info: Info }>) {
      // The parser counts lines up to a row's end, and \r\n in a quoted cell as two.
      countedTwice += occurrences(record, /\r\n/g)
      const line = info.lines - countedTwice - occurrences(record, /\r\n|\r|\n/g)
      yield { line, cells: record }
    }
  } catch (error) {
    // The library's message quotes the row.
    if (!(error instanceof CsvError)) throw error
    const reason = error.code === 'CSV_MAX_RECORD_SIZE' ? tooLong : 'is not valid CSV.'
    throw new Unreadable(Number(error.lines ?? 0), reason)
  }
}

const occurrences = (cells: string[], pattern: RegExp) =>
  cells.reduce((sum, cell) => sum + (cell.match(pattern)?.length ?? 0), 0)
