import type { FormatWriter } from './list-page.ts'

/** Writes a line for each record, as in the list's JSON. */
export const ndjsonWriter: FormatWriter = {
  extension: 'ndjson',
  type: 'application/x-ndjson',
  begin: () => ({ head: '', rows: (page) => page.items().map(toLine).join('') }),
}

// Strings in JSON escape line breaks, so any other is white space.
const toLine = (item: string) => `${/[\r\n]/.test(item) ? item.replaceAll(/[\r\n]/g, ' ') : item}\n`
