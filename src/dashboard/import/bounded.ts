import { maxRecords } from '../../import/limits.ts'
import type { Table } from '../../import/read/table.ts'
import { ApiError } from '../../model/api-error.ts'
import { yieldToEventLoop } from '../../platform/yield.ts'

const rowsPerTurn = 500

/** Limits a table to the rows that one request can hold in memory, and yields to the event loop while reading. Throws 413 beyond. */
export const limitRows = (table: Table): Table => ({
  ...table,
  async *rows() {
    let rows = 0
    for await (const row of table.rows()) {
      if (++rows > maxRecords) throw tooManyRows()
      if (rows % rowsPerTurn === 0) await yieldToEventLoop()
      yield row
    }
  },
})

const tooManyRows = () =>
  new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The file must have at most ${maxRecords.toLocaleString('en-GB')} rows. Split it, or import it with the command line.`,
  )
