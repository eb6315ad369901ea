import { sql } from 'drizzle-orm/sql'
import { resolveField } from '../../model/query/resolve.ts'
import { createdBetween } from '../bitmap/time-ranges.ts'
import { decideAll, findMatches } from '../query/find-matches.ts'
import { buildPlan } from '../query/plan.ts'
import { QueryReader, type RowBudget } from '../query/query-reader.ts'
import type { GroupedTypes } from '../read/groups.ts'
import { withFields } from '../read/with-fields.ts'
import type { Store } from '../store.ts'
import type { ValueColumn } from './column.ts'
import { readColumns, selectIndexCosts } from './read-columns.ts'

/** The values of some fields of a collection's records. */
export type FieldColumns = {
  /** The values by the name of the field. */
  columns: ReadonlyMap<string, ValueColumn>
  /** The number of records, in order of arrival. */
  total: number
  /** The number of records that were created before the time. */
  earlier: number
}

type ValuesQuery = {
  /** The names of at most 12 fields: each takes five of the 100 parameters of a statement. */
  names: readonly string[]
  since: string
  budget: RowBudget
}

/** Reads fields of all records that the caller may see. Throws 400 if that reads more rows than the budget has. */
export const readAllValues = (
  store: Store,
  collection: string,
  { names, since, budget }: ValuesQuery,
  types: GroupedTypes = {},
): Promise<FieldColumns> =>
  store.withPolicy(async (policy) => {
    const guard = { permissions: ['read'], collection, policy } as const
    const scope = { organisationId: store.organisationId, collection }
    const { result } = await withFields(
      store,
      guard,
      types,
      { filters: [], names, budget },
      ({ fields, predicate }) => ({
        plan: predicate && buildPlan(predicate),
        fields: names.map((name) => resolveField('names', name, fields)),
      }),
      async ({ plan, fields }, head) => {
        const reader = new QueryReader(store, guard, {
          head: {
            ...head,
            ...selectIndexCosts(scope, fields),
            last_earlier: sql`(WITH RECURSIVE ${createdBetween(scope, { from: since })}
              SELECT after FROM created_between)`,
          },
          budget,
        })
        const matched = await decideAll(await findMatches(reader, { plan }, { blocks: 'all' }))
        const columns = await readColumns(reader, fields, matched)
        return {
          columns: new Map(columns.map((column, index) => [names[index] ?? '', column])),
          total: matched.size,
          earlier: matched.between(-1, Number(reader.head.last_earlier)).size,
          head: reader.head,
          state: reader.state,
        }
      },
    )
    const { head: _, state: _state, ...values } = result
    return values
  })
