import type { FormatWriter } from './list-page.ts'

/** The writer for NDJSON: a line for each record of the JSON list. */
export const ndjsonWriter: FormatWriter = {
  extension: 'ndjson',
  type: 'application/x-ndjson',
  begin: () => ({ head: '', rows: (page) => page.items().map(toLine).join('') }),
}

// JSON strings escape line breaks, so an unescaped one is white space.
const toLine = (item: string) => `${/[\r\n]/.test(item) ? item.replaceAll(/[\r\n]/g, ' ') : item}\n`
