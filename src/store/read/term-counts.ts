import { sql } from 'drizzle-orm/sql'
import type { Scalar } from '../../model/query/predicate.ts'
import { recordCount } from '../bitmap/bits.ts'
import { integer, text } from '../columns.ts'
import { ofCollection } from '../fragments.ts'
import { indexColumn } from '../query/sort-keys.ts'
import { toScalar } from '../query/term-ranges.ts'
import type { Store } from '../store.ts'

/** The values of a field, and the number of records that have each. A record with several values in a list counts for each. */
export type TermCounts = readonly { value: Scalar; count: number }[]

/** The number of records, and the values of each field. */
type CollectionTerms = { total: number; fields: ReadonlyMap<string, TermCounts> }

/** The maximum number of values to read. Each costs a row. */
export const termLimits = { values: 40_000 }

/**
 * Reads how many records have each value of some fields, from the counts of the index alone. Returns undefined if the
 * fields have too many values, or if the caller may not see everything: the counts include hidden records.
 */
export const readTermCounts = (
  store: Store,
  collection: string,
  fields: readonly string[],
): Promise<CollectionTerms | undefined> =>
  store.withPolicy(async (policy) => {
    if (policy.isRedacted) return undefined
    const { organisationId } = store
    const { head, rows } = await store.select({
      head: { total: integer(recordCount({ organisationId, collection })) },
      rows: {
        columns: {
          field: text(sql`terms.field`),
          value: indexColumn('terms.value'),
          count: integer(sql`terms.count`),
        },
        from: sql`FROM json_each(${JSON.stringify(fields)}) AS item
          CROSS JOIN terms ON terms.field = item.value
          WHERE ${ofCollection({ organisationId }, collection, 'terms')}
          LIMIT ${termLimits.values + 1}`,
      },
      permissions: ['read'],
      collection,
      policy,
    })
    if (rows.length > termLimits.values) return undefined
    const counts = rows.map(({ field, value, count }) => ({ field, value: toScalar(value), count }))
    return { total: head.total, fields: Map.groupBy(counts, ({ field }) => field) }
  })
