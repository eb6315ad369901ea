import { type SQL, sql } from 'drizzle-orm/sql'
import type { AccessPolicy } from '../../access/access-policy.ts'
import type { Permission } from '../../access/permissions.ts'
import { valueAt } from '../../model/json.ts'
import { compareCodePoints, type Predicate, passes } from '../../model/query/predicate.ts'
import type { Order, Position, SortKey } from '../../model/query/query-options.ts'
import type { TimeRange } from '../bitmap/time-ranges.ts'
import type { Row } from '../statement.ts'
import type { Store } from '../store.ts'
import type { QuerySelection } from './list-selection.ts'

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

/**
 * Reads a page of the records that pass a predicate, with additional columns of a head. Throws 400 if
 * it would read more than 200,000 rows.
 */
export async function readQuery(
  store: Store,
  guard: QueryGuard,
  head: Record<string, SQL>,
  query: RecordQuery,
  { columns, selected }: QuerySelection,
): Promise<QueryPage> {
  const { collection } = guard
  const { head: result, rows } = await store.read(
    head,
    {
      columns: [...columns, 'whole', 'position'],
      rows: sql`SELECT ${selected}, records.document, records.ordinal FROM records
        WHERE organisation_id = ${store.organisationId} AND collection = ${collection} ORDER BY ordinal`,
    },
    guard,
  )
  const { predicate, order, after, skip, limit, isCounted } = query
  const found = rows
    .map((row) => {
      const document: unknown = JSON.parse(String(row.whole))
      const keys = order.map(({ field }) => toKey(valueAt(document, field.path)))
      return { row, document, position: { keys, ordinal: Number(row.position) } }
    })
    .filter(({ document }) => !predicate || passes(predicate, document))
    .sort((one, other) => comparePositions(order, one.position, other.position))
  const later = found
    .filter(({ position }) => !after || comparePositions(order, position, after) > 0)
    .slice(skip)
  const page = later.slice(0, limit)
  return {
    head: result,
    rows: page.map(({ row }) => row),
    next: later.length > page.length ? page.at(-1)?.position : undefined,
    total: isCounted ? found.length : undefined,
  }
}

const toKey = (value: unknown): SortKey => {
  if (typeof value === 'boolean') return { hex: value ? '01' : '00' }
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

function comparePositions(order: readonly Order[], one: Position, other: Position): number {
  for (const [index, { isDescending }] of order.entries()) {
    const [a = null, b = null] = [one.keys[index], other.keys[index]]
    if (a === null || b === null) {
      if (a !== b) return a === null ? 1 : -1
      continue
    }
    const difference = compareKeys(a, b)
    if (difference !== 0) return isDescending ? -difference : difference
  }
  return one.ordinal - other.ordinal
}

function compareKeys(a: string | number | { hex: string }, b: typeof a): number {
  const rank = (key: SortKey) => ['number', 'string', 'object'].indexOf(typeof key)
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  if (typeof a === 'number') return a - Number(b)
  const text = (key: string | number | { hex: string }) =>
    typeof key === 'object' ? key.hex : String(key)
  return compareCodePoints(text(a), text(b))
}
