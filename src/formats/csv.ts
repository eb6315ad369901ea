import { escapeFormula, joinList } from '../model/cell-text.ts'
import { valueAt } from '../model/json.ts'
import { compileRecord } from '../model/properties/compile.ts'
import type { RecordProperties } from '../model/record-properties.ts'
import { timeNames } from './json.ts'
import type { FormatOptions, FormatWriter, ListColumn } from './list-page.ts'

export const recordColumns = (record: RecordProperties): ListColumn[] =>
  compileRecord(record).leaves.map(({ path, name, isNullableText }) => ({
    path,
    name,
    nullable: isNullableText,
  }))

/** A writer for CSV (RFC 4180) with a row for each record. The first page determines the columns. */
export function createCsvWriter({ $labels, $bom, $formulas, times }: FormatOptions): FormatWriter {
  const escapeText = $formulas === 'raw' ? (text: string) => text : escapeFormula
  const cell = (value: unknown, nullable = false): string => {
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    const text = formatValue(value)
    return text === '' && !(nullable && value === '') ? '' : quote(escapeText(text))
  }
  return {
    extension: 'csv',
    type: 'text/csv; charset=utf-8; header=present',
    begin(first) {
      const columns = [...first.columns(), ...(times ? timeColumns : [])]
      const headings = columns.map(({ name, label = name }) => cell($labels ? label : name))
      const row = (document: string) => {
        const record: unknown = JSON.parse(document)
        const cells = columns.map(({ path, nullable }) => cell(valueAt(record, path), nullable))
        return `${cells.join(',')}\r\n`
      }
      return {
        head: `${$bom ? '\uFEFF' : ''}${headings.join(',')}\r\n`,
        rows: (page) => page.documents().map(row).join(''),
      }
    },
  }
}

const timeColumns: ListColumn[] = timeNames.map((name) => ({ path: [name], name }))

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return JSON.stringify(value)
  if (value.length === 0) return ''
  return value.every((item) => typeof item === 'string') ? joinList(value) : JSON.stringify(value)
}

/** A text as a cell: in quotation marks if necessary. */
export const quote = (text: string) =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
