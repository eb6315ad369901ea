import type { FieldPath, Predicate } from '../../model/query/predicate.ts'
import { decideAll, findMatches } from '../query/find-matches.ts'
import { buildPlan } from '../query/plan.ts'
import { QueryReader, type RowBudget } from '../query/query-reader.ts'
import type { Store } from '../store.ts'
import type { ValueColumn } from './column.ts'
import { readColumns, selectColumnCosts } from './read-columns.ts'

/**
 * Reads fields of the records that pass a predicate of the service itself, which may be on fields of the index that
 * nobody can name.
 */
export const readMatched = (
  store: Store,
  collection: string,
  fields: readonly FieldPath[],
  { predicate, budget }: { predicate: Predicate; budget?: RowBudget | undefined },
): Promise<readonly ValueColumn[]> =>
  store.withPolicy(async (policy) => {
    const { organisationId } = store
    const reader = new QueryReader(
      store,
      { permissions: ['read'], collection, policy },
      { head: selectColumnCosts({ organisationId, collection }, fields), budget },
    )
    const conditions = { plan: buildPlan(predicate) }
    const matched = await decideAll(await findMatches(reader, conditions, { blocks: 'all' }))
    return readColumns(reader, fields, matched)
  })
