import type { SQL } from 'drizzle-orm/sql'
import type { AccessPolicy } from '../../access/access-policy.ts'
import type { Permission } from '../../access/permissions.ts'
import type { Predicate } from '../../model/query/predicate.ts'
import type { Order, Position } from '../../model/query/query-options.ts'
import { maxRowsRead } from '../bitmap/matches.ts'
import type { TimeRange } from '../bitmap/time-ranges.ts'
import type { Row } from '../statement.ts'
import type { Store } from '../store.ts'
import type { QuerySelection } from './list-selection.ts'
import { planQuery } from './plan-query.ts'
import { QueryReader } from './query-reader.ts'
import { readArrivals } from './read-arrivals.ts'
import { readOrdered } from './read-ordered.ts'

/** A query for the records that pass a predicate, in an order. */
export type RecordQuery = {
  predicate?: Predicate | undefined
  /** Ties, and records without an order, are in order of arrival. */
  order: readonly Order[]
  limit: number
  /** The number of records to skip. */
  skip: number
  after?: Position | undefined
  isCounted: boolean
  /** Whether the page is limited in size, because another follows it in the same response. */
  isExport?: boolean
  created?: TimeRange | undefined
  changed?: TimeRange | undefined
}

/** A page of a query: the selected columns, the position to continue after unless it is the last page, the total if counted, and the head of its first statement. */
export type QueryPage = {
  head: Row
  rows: Row[]
  next: Position | undefined
  total: number | undefined
}

/** The requirements of every statement of a query. */
export type QueryGuard = {
  permissions: readonly Permission[]
  collection: string
  policy: AccessPolicy
}

/** A page, or the part of one that was read within half of the row budget. */
export type PagePart = Omit<QueryPage, 'head'>

/**
 * Reads a page of the records that pass a predicate, with additional columns of a head. A page is
 * short, with a next position, where few records pass. Throws 400 if it would read more than
 * 200,000 rows.
 */
export async function readQuery(
  store: Store,
  guard: QueryGuard,
  head: Record<string, SQL>,
  query: RecordQuery,
  selection: QuerySelection,
): Promise<QueryPage> {
  const reader = new QueryReader(store, guard, head)
  const plan = planQuery(query)
  const read = query.order.length > 0 ? readOrdered : readArrivals
  const page = await read(reader, query, plan, selection)
  while (
    page.next &&
    page.rows.length < query.limit &&
    !query.isExport &&
    reader.rowsRead < maxRowsRead / 2
  ) {
    const limit = query.limit - page.rows.length
    const rest = { ...query, after: page.next, limit, skip: 0, isCounted: false }
    const { rows, next } = await read(reader, rest, plan, selection)
    page.rows.push(...rows)
    page.next = next
  }
  return { head: reader.head, ...page }
}
