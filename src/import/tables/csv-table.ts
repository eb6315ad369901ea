import { csvRows } from '../csv-rows.ts'
import { type Source, Unreadable } from '../read.ts'
import { decoded, encodingOf } from './encoding.ts'
import { columnNames, headingsAmong, sampleRows } from './headings.ts'
import { type Row, refuseWide, type Table } from './table.ts'

const separators = [',', ';', '\t', '|'] as const
const sampleCharacters = 100_000

/** A text file as a table, whatever its encoding and what is between its cells. */
export async function csvTable(source: Source): Promise<Table> {
  const encoding = await encodingOf(source)
  const sample = await startOf(decoded(source, encoding))
  const separator = await separatorOf(sample)
  const first = await sampled(sample, separator)
  for (const { line, cells } of first) refuseWide(cells.length, line)
  const heading = headingsAmong(first)
  return {
    format: { kind: 'csv', encoding, separator },
    headings: columnNames(heading.cells),
    headingLine: heading.line,
    async *rows() {
      for await (const row of csvRows(decoded(source, encoding), styleOf(separator))) {
        if (row.line > heading.line) yield row
      }
    },
  }
}

/** What is between the cells: what makes the most of them in rows that are equally wide. Excel may say it in a first line `sep=;`. */
async function separatorOf(sample: string): Promise<string> {
  const said = /^sep=([,;|\t])\r?\n/i.exec(sample)?.[1]
  if (said) return said
  let best = { separator: ',', cells: 0 }
  for (const separator of separators) {
    const widths = new Map<number, number>()
    for (const { cells } of await sampled(sample, separator)) {
      if (cells.length > 1) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1)
    }
    const cells = Math.max(0, ...[...widths].map(([width, rows]) => width * rows))
    if (cells > best.cells) best = { separator, cells }
  }
  return best.separator
}

async function sampled(sample: string, separator: string): Promise<Row[]> {
  const rows: Row[] = []
  try {
    for await (const row of csvRows(once(sample), styleOf(separator))) {
      if (!/^sep=.?$/i.test(row.cells.join(''))) rows.push(row)
      if (rows.length === sampleRows) break
    }
  } catch (error) {
    // The sample may end within a quoted cell; a file that is not CSV is named when it is read.
    if (!(error instanceof Unreadable) || (rows.length === 0 && sample.length < sampleCharacters))
      throw error
  }
  return rows
}

const styleOf = (delimiter: string) => ({ delimiter, relaxQuotes: true })

async function* once(text: string) {
  yield text
}

async function startOf(text: AsyncIterable<string>): Promise<string> {
  let start = ''
  for await (const chunk of text) {
    start += chunk
    if (start.length >= sampleCharacters) break
  }
  return start.slice(0, sampleCharacters)
}
