import { escapeFormula } from '../model/cell-text.ts'
import { quote } from './csv.ts'
import { contentDisposition } from './download.ts'
import { createErrorLogger, createStream, type ResponseContext } from './stream.ts'
import { buildWorkbook, type Cell, type Sheet, xlsxType } from './xlsx.ts'
import { createZip } from './zip.ts'

type TableFile = {
  format: 'csv' | 'xlsx'
  /** The name in the file's name, and that of the sheet. */
  name: string
  label: string
} & Omit<Sheet, 'name'>

/** Streams a table as a CSV file or an Excel workbook. */
export function respondWithTable(
  c: ResponseContext,
  { format, name, label, headings, rows }: TableFile,
): Response {
  if (format === 'xlsx') return respondWithWorkbook(c, name, [{ name: label, headings, rows }])
  return new Response(createStream(writeCsv(headings, rows), createErrorLogger(c)), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': contentDisposition(c, name, format),
    },
  })
}

/** Streams a workbook. */
export const respondWithWorkbook = (
  c: ResponseContext,
  name: string,
  sheets: readonly Sheet[],
): Response =>
  new Response(createZip(buildWorkbook(sheets), createErrorLogger(c)), {
    headers: {
      'Content-Type': xlsxType,
      'Content-Disposition': contentDisposition(c, name, 'xlsx'),
    },
  })

/** Yields CSV (RFC 4180) with a byte order mark, so that Excel recognises UTF-8. Days are in ISO 8601, which every program reads. */
async function* writeCsv(
  headings: readonly string[],
  rows: TableFile['rows'],
): AsyncGenerator<string, void> {
  yield `\uFEFF${headings.map(quoteText).join(',')}\r\n`
  for await (const page of rows)
    yield page.map((row) => `${row.map(writeCell).join(',')}\r\n`).join('')
}

function writeCell(cell: Cell): string {
  if ('value' in cell) return String(cell.value)
  if (cell.text === '') return ''
  return quoteText(cell.type === 'text' ? cell.text : cell.text.replace('T', ' '))
}

const quoteText = (text: string) => quote(escapeFormula(text))
