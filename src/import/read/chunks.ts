import type { Row, Table } from './table.ts'

const maxChunkRows = 500
const maxChunkCharacters = 300_000

/** The rows of a table in chunks that are read and written together. */
export async function* readRowChunks(table: Table): AsyncGenerator<Row[]> {
  let rows: Row[] = []
  let characters = 0
  for await (const row of table.rows()) {
    rows.push(row)
    for (const cell of row.cells) characters += cell.length
    if (rows.length === maxChunkRows || characters > maxChunkCharacters) {
      yield rows
      rows = []
      characters = 0
    }
  }
  if (rows.length > 0) yield rows
}
