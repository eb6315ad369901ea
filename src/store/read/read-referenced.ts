import { sql } from 'drizzle-orm/sql'
import type { AccessPolicy } from '../../access/access-policy.ts'
import { invalidField } from '../../model/api-error.ts'
import { countRecords } from '../../model/collection.ts'
import type { Predicate, Scalar } from '../../model/query/predicate.ts'
import type { Position } from '../../model/query/query-options.ts'
import type { ReferencedCondition, ResolvedFilter } from '../../model/query/resolve.ts'
import { queryLimits, tooManyRows } from '../query/query-reader.ts'
import { readQuery } from '../query/read-query.ts'
import type { Store } from '../store.ts'

const [maxConditions, maxReferenced] = [5, 5000]

/** Replaces each condition on referenced records by a test for their ids. Throws 400 beyond 5 conditions, 5,000 ids or 200,000 rows. */
export async function readReferenced(
  store: Store,
  policy: AccessPolicy,
  filter: ResolvedFilter,
): Promise<Predicate> {
  let conditions = 0
  const rowsBefore = store.cost.rowsRead
  return replace(filter)

  async function replace(part: ResolvedFilter): Promise<Predicate> {
    if ('and' in part) return { and: await replaceAll(part.and) }
    if ('or' in part) return { or: await replaceAll(part.or) }
    if ('not' in part) return { not: await replace(part.not) }
    if (!('condition' in part)) return part
    if (++conditions > maxConditions) {
      throw invalidField(
        '$filter',
        'too_long',
        `must have at most ${maxConditions} conditions on referenced records. Conditions on the same reference that stand together count once.`,
      )
    }
    if (store.cost.rowsRead - rowsBefore > queryLimits.referencedRows)
      throw tooManyRows('Use fewer conditions on referenced records, or narrower ones.')
    const field = { path: part.reference.path, isList: false }
    return { field, values: await readIds(store, policy, part) }
  }

  async function replaceAll(parts: readonly ResolvedFilter[]): Promise<Predicate[]> {
    const predicates: Predicate[] = []
    for (const part of parts) predicates.push(await replace(part))
    return predicates
  }
}

async function readIds(
  store: Store,
  policy: AccessPolicy,
  { reference: { to }, condition: predicate }: ReferencedCondition,
): Promise<ReadonlySet<Scalar>> {
  const ids = new Set<Scalar>()
  let after: Position | undefined
  do {
    const { rows, next } = await readQuery(
      store,
      { permissions: ['read'], collection: to, policy },
      {},
      { predicate, order: [], limit: maxReferenced + 1, skip: 0, after, isCounted: false },
      { columns: ['id'], selected: sql`records.id` },
    )
    for (const { id } of rows) ids.add(String(id))
    if (ids.size > maxReferenced) {
      throw invalidField(
        '$filter',
        'too_large',
        `A condition on referenced records must be true for at most ${countRecords(maxReferenced, to)}. Narrow it, for example by a date.`,
      )
    }
    after = next
  } while (after)
  return ids
}
