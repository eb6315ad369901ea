import { maxRowsRead } from '../bitmap/matches.ts'
import type { Columns } from '../columns.ts'
import type { Unchanged } from '../state.ts'
import type { Store } from '../store.ts'
import { planQuery } from './plan-query.ts'
import { QueryReader, type QueryTerms } from './query-reader.ts'
import { readArrivals } from './read-arrivals.ts'
import { readOrdered } from './read-ordered.ts'
import type { QueryGuard, QueryPage, RecordQuery } from './record-query.ts'

/**
 * Reads a page of the records that pass a predicate, with additional columns of a head. A page is
 * short, with a next position, where few records pass. Throws 400 if it would read more than
 * 200,000 rows.
 */
export async function readQuery<U extends Unchanged = never>(
  store: Store,
  guard: QueryGuard,
  terms: QueryTerms<U>,
  query: RecordQuery,
  columns: Columns,
): Promise<QueryPage | U> {
  const reader = new QueryReader(store, guard, terms)
  const plan = planQuery(query)
  const read = query.order.length > 0 ? readOrdered : readArrivals
  const page = await read(reader, query, plan, columns)
  while (
    page.next &&
    page.rows.length < query.limit &&
    !query.isExport &&
    reader.rowsRead < maxRowsRead / 2
  ) {
    const limit = query.limit - page.rows.length
    const rest = { ...query, after: page.next, limit, skip: 0, isCounted: false }
    const { rows, next } = await read(reader, rest, plan, columns)
    page.rows.push(...rows)
    page.next = next
  }
  if (reader.unchanged) return reader.unchanged
  return { ...page, head: reader.head, state: reader.state }
}
