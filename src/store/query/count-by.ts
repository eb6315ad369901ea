import { type SQL, sql } from 'drizzle-orm/sql'
import type { Filter } from '../../model/filter.ts'
import { valueAt } from '../../model/json.ts'
import { isKind } from '../../model/properties/schema.ts'
import type { FilterExpression } from '../../model/query/filter-expression.ts'
import { type FieldPath, type Predicate, passes, type Scalar } from '../../model/query/predicate.ts'
import { resolveField } from '../../model/query/resolve.ts'
import type { Row } from '../statement.ts'
import type { Store } from '../store.ts'
import type { ListSelection } from './list-selection.ts'
import type { QueryGuard } from './read-query.ts'
import { withFields } from './with-fields.ts'

/** A query for the number of records with each value of a field. */
export type CountQuery = {
  /** The name of the field. */
  by: string
  filters: readonly Filter[]
  filter?: FilterExpression | undefined
  /** The maximum number of groups. */
  limit: number
}

/**
 * The number of records with each value, most frequent first, then in order of value. A record whose
 * list has several values counts for each of them.
 */
export type Counts = {
  groups: { value: Scalar; count: number }[]
  /** The number of records without a value. */
  missing: number
  /** The number of records. */
  total: number
  /** Whether there are more values than `limit`. */
  isCut: boolean
}

/**
 * Counts the records that pass the filters by a field. A text over 256 bytes counts under its
 * beginning. Throws 400 for a name that is not among the fields that the policy shows.
 */
export const countListBy = (
  store: Store,
  collection: string,
  { by, limit, ...filters }: CountQuery,
  record?: ListSelection['record'],
): Promise<Counts> =>
  store.withPolicy(async (policy) => {
    const guard = { permissions: ['read'], collection, policy } as const
    const { result } = await withFields(
      store,
      guard,
      { ...(isKind(collection) && { schema: collection }), ...(record && { record }) },
      filters,
      ({ fields, predicate }) => ({ predicate, field: resolveField('count', by, fields) }),
      ({ predicate, field }, head) => countBy(store, guard, head, { predicate, field, limit }),
    )
    const { head: _, ...counts } = result
    return counts
  })

/** Counts the records that pass a predicate by a field, with additional columns of a head. */
export async function countBy(
  store: Store,
  guard: QueryGuard,
  head: Record<string, SQL>,
  {
    predicate,
    field,
    limit,
  }: { predicate: Predicate | undefined; field: FieldPath; limit: number },
): Promise<Counts & { head: Row }> {
  const { head: result, rows } = await store.read(
    head,
    {
      columns: ['document'],
      rows: sql`SELECT document FROM records
        WHERE organisation_id = ${store.organisationId} AND collection = ${guard.collection}`,
    },
    guard,
  )
  const counts = new Map<Scalar, number>()
  let [missing, total] = [0, 0]
  for (const { document: text } of rows) {
    const document: unknown = JSON.parse(String(text))
    if (predicate && !passes(predicate, document)) continue
    const value = valueAt(document, field.path)
    const values = new Set(
      (Array.isArray(value) ? value : [value]).filter((it) => it !== null && it !== undefined),
    )
    for (const it of values) counts.set(it, (counts.get(it) ?? 0) + 1)
    if (values.size === 0) missing++
    total++
  }
  const groups = [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count)
  return {
    head: result,
    groups: groups.slice(0, limit),
    missing,
    total,
    isCut: groups.length > limit,
  }
}
