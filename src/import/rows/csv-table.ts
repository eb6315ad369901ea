import { decodeText, detectEncoding } from '../source/encoding.ts'
import { type Source, UnreadableFileError } from '../source/source.ts'
import { readCsvRows } from './csv-rows.ts'
import { findHeadingRow, sampleRows, toHeadings } from './headings.ts'
import { rejectWideRow, type SourceRow, type SourceTable } from './table.ts'

const separators = [',', ';', '\t', '|'] as const
const sampleCharacters = 100_000

/** Opens a text file as a table and detects its encoding and separator. */
export async function openCsvTable(source: Source): Promise<SourceTable> {
  const encoding = await detectEncoding(source)
  const sample = await readStart(decodeText(source, encoding))
  const separator = await detectSeparator(sample)
  const firstRows = await readSample(sample, separator)
  for (const { line, cells } of firstRows) rejectWideRow(cells.length, line)
  const heading = findHeadingRow(firstRows)
  return {
    format: { kind: 'csv', encoding, separator },
    headings: toHeadings(heading.cells),
    headingLine: heading.line,
    async *rows() {
      for await (const row of readCsvRows(decodeText(source, encoding), csvStyle(separator))) {
        if (row.line > heading.line) yield row
      }
    },
  }
}

/** Detects the separator: the character that gives the most cells in rows of equal width. Excel may declare it in a first line `sep=;`. */
async function detectSeparator(sample: string): Promise<string> {
  const declared = /^sep=([,;|\t])\r?\n/i.exec(sample)?.[1]
  if (declared) return declared
  let best = { separator: ',', cells: 0 }
  for (const separator of separators) {
    const widths = new Map<number, number>()
    for (const { cells } of await readSample(sample, separator)) {
      if (cells.length > 1) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1)
    }
    const cells = Math.max(0, ...[...widths].map(([width, rows]) => width * rows))
    if (cells > best.cells) best = { separator, cells }
  }
  return best.separator
}

async function readSample(sample: string, separator: string): Promise<SourceRow[]> {
  const rows: SourceRow[] = []
  try {
    for await (const row of readCsvRows(asChunks(sample), csvStyle(separator))) {
      if (!/^sep=.?$/i.test(row.cells.join(''))) rows.push(row)
      if (rows.length === sampleRows) break
    }
  } catch (error) {
    // The sample may end within a quoted cell. Reading the whole file reports invalid CSV.
    if (
      !(error instanceof UnreadableFileError) ||
      (rows.length === 0 && sample.length < sampleCharacters)
    )
      throw error
  }
  return rows
}

const csvStyle = (delimiter: string) => ({ delimiter, relaxQuotes: true })

async function* asChunks(text: string) {
  yield text
}

async function readStart(text: AsyncIterable<string>): Promise<string> {
  let start = ''
  for await (const chunk of text) {
    start += chunk
    if (start.length >= sampleCharacters) break
  }
  return start.slice(0, sampleCharacters)
}
