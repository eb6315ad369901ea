import { maxRecords } from '../../import/limits.ts'
import type { Table } from '../../import/read/table.ts'
import { ApiError } from '../../model/api-error.ts'
import { yieldToEventLoop } from '../../platform/yield.ts'

const rowsPerTurn = 500

/** A table of no more rows than a request can keep, which lets other requests have their turn while it is read. Throws 413 where it has more. */
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
    `The file must have at most ${maxRecords.toLocaleString('en-GB')} rows: divide it, or import it on the command line.`,
  )
