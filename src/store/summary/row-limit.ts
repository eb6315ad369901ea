import { maxRowsRead } from '../bitmap/matches.ts'
import type { QueryReader } from '../query/query-reader.ts'

/** The maximum number of rows that a summary reads. */
export const summaryLimits = { rows: maxRowsRead }

/** The advice for a summary that would read too many rows. */
export const summaryAdvice =
  'Add a condition to $filter, such as a shorter range of dates, or leave out names of $by and $measures.'

/** Throws 400 unless a number of rows is left for a query. */
export function requireRows(reader: QueryReader, rows: number): void {
  if (reader.rowsRead + rows > summaryLimits.rows) throw reader.tooManyRows(summaryAdvice)
}
