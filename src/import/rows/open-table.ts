import { readFirstBytes } from '../source/encoding.ts'
import { type Source, UnreadableFileError } from '../source/source.ts'
import { openCsvTable } from './csv-table.ts'
import { openJsonTable } from './json-table.ts'
import type { SourceRow, SourceTable } from './table.ts'
import { openTickSheet } from './tick-sheet.ts'

/** Opens a file as a table, marks its row of totals, and recognises a sheet of ticks. Throws UnreadableFileError with advice. */
export const openTable = async (source: Source, sheet?: string): Promise<SourceTable> =>
  openTickSheet(markTotalRow(await detectTable(source, sheet)))

/** Opens delimited text, an Excel workbook, JSON or JSON lines, detected by the content; the extension matters only for JSON. */
async function detectTable(source: Source, sheet?: string): Promise<SourceTable> {
  const start = await readFirstBytes(source, 1024)
  const [first, second] = start
  if (first === undefined) throw new UnreadableFileError(0, 'is empty.')
  // A zip file, as `PK`.
  if (first === 0x50 && second === 0x4b) {
    const { openXlsxTable } = await import('./xlsx-table.ts')
    return openXlsxTable(source, sheet)
  }
  // A file of the older Office, which an encrypted workbook is too.
  if (first === 0xd0 && second === 0xcf) {
    throw new UnreadableFileError(
      0,
      'is a workbook of Excel 2003 or with a password: save it as .xlsx or CSV.',
    )
  }
  if (sheet !== undefined) throw new UnreadableFileError(0, 'is no workbook, so it has no sheets.')
  const text = new TextDecoder().decode(start).trimStart()
  if (/^%PDF|^<(?:!doctype|html|\?xml)/i.test(text)) {
    throw new UnreadableFileError(0, 'is a document and no table: export it as CSV or XLSX.')
  }
  if (/\.(?:ndjson|jsonl)$/i.test(source.name)) return openJsonTable(source, 'ndjson')
  const isJson = /\.json$/i.test(source.name) || /^(?:\[\s*[\]{]|\{\s*["}])/.test(text)
  if (isJson) return openJsonTable(source, 'json')
  return openCsvTable(source)
}

/** Marks the last row of a table if it adds up the others. */
const markTotalRow = (table: SourceTable): SourceTable => ({
  ...table,
  async *rows() {
    let last: SourceRow | undefined
    for await (const row of table.rows()) {
      if (last) yield last
      last = row
    }
    if (last) yield isTotalRow(last.cells) ? { ...last, isTotal: true } : last
  },
})

/** Whether a row has a word such as "total", followed only by numbers. */
function isTotalRow(cells: readonly string[]): boolean {
  const [word = '', ...rest] = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  return totalPattern.test(word) && rest.every(isAmount) && (rest.length > 0 || /\d$/.test(word))
}

const totalPattern =
  /^(?:(?:(?:grand|overall|sum|sub)[ -]?)?totals?|sum|count|headcount|(?:number |no\.? )?(?:present|attended)|attendance)(?: (?:number of )?(?:members|people|volunteers|partners|attendees|participants|bookings|amount|attendance))?\s*[:=]?\s*[\d.,]*$/i

// A number with a leading zero is a telephone number, not an amount.
const isAmount = (cell: string) =>
  /^[-+(]?\s*[£€$]?\s*\d[\d,. ']*%?\)?$/.test(cell) && !/^0\d{3}/.test(cell)
