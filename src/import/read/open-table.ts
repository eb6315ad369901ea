import { type Source, UnreadableFileError } from '../read.ts'
import { openCsvTable } from './csv-table.ts'
import { readFirstBytes } from './encoding.ts'
import { openJsonTable } from './json-table.ts'
import type { Table } from './table.ts'
import { markTotalRow } from './totals.ts'

/** Opens a file as a table, with its row of totals marked. Throws UnreadableFileError with what to do. */
export const openTable = async (source: Source, sheet?: string): Promise<Table> =>
  markTotalRow(await detectTable(source, sheet))

/** Opens a file as a table by its content, not its name: delimited text, Excel workbook, JSON or JSON lines. */
async function detectTable(source: Source, sheet?: string): Promise<Table> {
  const start = await readFirstBytes(source, 1024)
  const [first, second] = start
  if (first === undefined) throw new UnreadableFileError(0, 'is empty.')
  if (first === 0x50 && second === 0x4b) {
    const { openXlsxTable } = await import('./xlsx-table.ts')
    return openXlsxTable(source, sheet)
  }
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
