import { type Source, Unreadable } from '../read.ts'
import { csvTable } from './csv-table.ts'
import { startOf } from './encoding.ts'
import { jsonTable } from './json-table.ts'
import type { Table } from './table.ts'
import { withTotalMarked } from './totals.ts'

/** Opens a file as a table, with its row of totals marked. Throws Unreadable with what to do. */
export const openTable = async (source: Source, sheet?: string): Promise<Table> =>
  withTotalMarked(await tableOf(source, sheet))

/** Opens a file as a table by what it is, whatever it is called: text in cells, an Excel workbook, JSON or JSON lines. */
async function tableOf(source: Source, sheet?: string): Promise<Table> {
  const start = await startOf(source, 1024)
  const [first, second] = start
  if (first === undefined) throw new Unreadable(0, 'is empty.')
  if (first === 0x50 && second === 0x4b) {
    const { xlsxTable } = await import('./xlsx-table.ts')
    return xlsxTable(source, sheet)
  }
  if (first === 0xd0 && second === 0xcf) {
    throw new Unreadable(
      0,
      'is a workbook of Excel 2003 or with a password: save it as .xlsx or CSV.',
    )
  }
  if (sheet !== undefined) throw new Unreadable(0, 'is no workbook, so it has no sheets.')
  const text = new TextDecoder().decode(start).trimStart()
  if (/^%PDF|^<(?:!doctype|html|\?xml)/i.test(text)) {
    throw new Unreadable(0, 'is a document and no table: export it as CSV or XLSX.')
  }
  if (/\.(?:ndjson|jsonl)$/i.test(source.name)) return jsonTable(source, 'ndjson')
  const isJson = /\.json$/i.test(source.name) || /^(?:\[\s*[\]{]|\{\s*["}])/.test(text)
  if (isJson) return jsonTable(source, 'json')
  return csvTable(source)
}
