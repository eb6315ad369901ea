import { sql } from 'drizzle-orm/sql'
import type { Kind } from '../../model/properties/schema.ts'
import { resolveField } from '../../model/query/resolve.ts'
import { createdBetween } from '../bitmap/time-ranges.ts'
import { decideAll, findMatches } from '../query/find-matches.ts'
import { buildPlan } from '../query/plan.ts'
import { QueryReader, type RowBudget } from '../query/query-reader.ts'
import { withFields } from '../read/with-fields.ts'
import type { Store } from '../store.ts'
import type { ValueColumn } from './column.ts'
import { readColumns, selectColumnCosts } from './read-columns.ts'

/** The values of some fields of people, by the number of the person in order of arrival. */
export type FieldColumns = {
  /** The values by the name of the field. */
  columns: ReadonlyMap<string, ValueColumn>
  total: number
  /** The number of people created before `since`, who come first. */
  earlier: number
}

type ValuesQuery = {
  /** The names of at most 12 fields: each takes five of the 100 parameters of a statement. */
  names: readonly string[]
  /** A timestamp. */
  since: string
  budget: RowBudget
}

/** Reads fields of all people of a kind. Throws 400 if that takes more rows than a summary may read. */
export const readAllValues = (
  store: Store,
  collection: Kind,
  { names, since, budget }: ValuesQuery,
): Promise<FieldColumns> =>
  store.withPolicy(async (policy) => {
    const guard = { permissions: ['read'], collection, policy } as const
    const scope = { organisationId: store.organisationId, collection }
    const { result } = await withFields(
      store,
      guard,
      {},
      { filters: [], names, budget },
      ({ fields, predicate }) => ({
        plan: predicate && buildPlan(predicate),
        fields: names.map((name) => resolveField('names', name, fields)),
      }),
      async ({ plan, fields }, head) => {
        const reader = new QueryReader(store, guard, {
          head: {
            ...head,
            ...selectColumnCosts(scope, fields),
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
