import { sql } from 'drizzle-orm/sql'
import type { AccessPolicy } from '../../access/access-policy.ts'
import { invalidField } from '../../model/api-error.ts'
import { formatRecordCount } from '../../model/collection.ts'
import type { Predicate, Scalar } from '../../model/query/predicate.ts'
import type { ReferencedCondition, ResolvedFilter } from '../../model/query/resolve.ts'
import { decideAll, findMatches } from '../query/find-matches.ts'
import { buildPlan } from '../query/plan.ts'
import { QueryReader, queryLimits, type RowBudget } from '../query/query-reader.ts'
import { readCandidates } from '../query/read-candidates.ts'
import type { Store } from '../store.ts'

const [maxConditions, maxReferenced] = [5, 5000]

/**
 * Replaces each condition on referenced records by a test for their ids. Throws 400 beyond 5 conditions, 5,000 ids of
 * one, or the rows of the budget: by default 200,000 for all conditions together.
 */
export async function readReferenced(
  store: Store,
  policy: AccessPolicy,
  filter: ResolvedFilter,
  budget: RowBudget = {
    maxRows: queryLimits.referencedRows,
    rowsBefore: store.cost.rowsRead,
    advice: 'Use fewer conditions on referenced records, or narrower ones.',
  },
): Promise<Predicate> {
  let conditions = 0
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
    const field = { path: part.reference.path, isList: false }
    return { field, values: await readIds(store, policy, part, budget) }
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
  budget: RowBudget,
): Promise<ReadonlySet<Scalar>> {
  const guard = { permissions: ['read'], collection: to, policy } as const
  const reader = new QueryReader(store, guard, {}, budget)
  const found = await findMatches(reader, { plan: buildPlan(predicate) }, { blocks: 'all' })
  const matches = await decideAll(found)
  if (matches.size > maxReferenced) {
    throw invalidField(
      '$filter',
      'too_large',
      `A condition on referenced records must be true for at most ${formatRecordCount(maxReferenced, to)}. Narrow it, for example by a date.`,
    )
  }
  const { rows } = await readCandidates(
    reader,
    { predicate, order: [], limit: maxReferenced, skip: 0, isCounted: false },
    Array.from(matches.ordinals(), (ordinal) => ({ ordinal, keys: [] })),
    { columns: ['id'], selected: sql`records.id` },
  )
  return new Set(rows.map(({ id }) => String(id)))
}
