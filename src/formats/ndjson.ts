import type { FormatWriter } from './list-page.ts'

/** A line for each record, as the list's JSON shows it. */
export const ndjsonWriter: FormatWriter = {
  extension: 'ndjson',
  type: 'application/x-ndjson',
  begin: () => ({ head: '', rows: (page) => page.items().map(toLine).join('') }),
}

// In a JSON text, the end of a line is white space: within its strings it is escaped.
const toLine = (item: string) => `${/[\r\n]/.test(item) ? item.replaceAll(/[\r\n]/g, ' ') : item}\n`
