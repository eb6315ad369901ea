import type { Writer } from './list-page.ts'

/** A line for each record, as the list's JSON shows it. */
export const ndjson: Writer = {
  extension: 'ndjson',
  type: 'application/x-ndjson',
  begin: () => ({ head: '', rows: (page) => page.items().map(line).join('') }),
}

// In a JSON text, the end of a line is white space: within its strings it is escaped.
const line = (item: string) => `${/[\r\n]/.test(item) ? item.replaceAll(/[\r\n]/g, ' ') : item}\n`
