import { mostRecords } from '../../import/limits.ts'
import type { Table } from '../../import/tables/table.ts'
import { ApiError } from '../../model/api-error.ts'
import { othersTurn } from '../../platform/others-turn.ts'

const rowsInTurn = 500

/** A table of no more rows than a request can keep, which lets other requests have their turn while it is read. Throws 413 where it has more. */
export const bounded = (table: Table): Table => ({
  ...table,
  async *rows() {
    let rows = 0
    for await (const row of table.rows()) {
      if (++rows > mostRecords) throw tooMany()
      if (rows % rowsInTurn === 0) await othersTurn()
      yield row
    }
  },
})

const tooMany = () =>
  new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The file must have at most ${mostRecords.toLocaleString('en-GB')} rows: divide it, or import it on the command line.`,
  )
