import { sql } from 'drizzle-orm/sql'
import type { AccessPolicy } from '../../access/access-policy.ts'
import { filterPredicate } from '../../access/collection-properties.ts'
import { invalidField } from '../../model/api-error.ts'
import { formatRecordCount } from '../../model/collection.ts'
import type { Predicate, Scalar } from '../../model/query/predicate.ts'
import type { ReferencedCondition, ResolvedFilter } from '../../model/query/resolve.ts'
import { decodeRows, text } from '../columns.ts'
import { decideAll, findMatches } from '../query/find-matches.ts'
import { buildPlan } from '../query/plan.ts'
import { QueryReader, queryLimits, type RowBudget } from '../query/query-reader.ts'
import { readCandidates } from '../query/read-candidates.ts'
import type { Known, Unchanged } from '../state.ts'
import type { Store } from '../store.ts'

const [maxConditions, maxReferenced] = [5, 5000]

/** A predicate with the ids of referenced records, and the state if any were read. */
type Referenced = { unchanged?: false; predicate: Predicate; state: string | undefined }

/** The rows that conditions on references may read together, and the versions that the caller knows. */
type ReferenceTerms<U extends Unchanged> = {
  budget?: RowBudget | undefined
  known?: Known<U> | undefined
}

/**
 * Replaces each condition on referenced records by a test for their ids. Throws 400 beyond 5 conditions, 5,000 ids of
 * one, or the rows of the budget: by default 200,000 for all conditions together.
 */
export async function readReferenced<U extends Unchanged = never>(
  store: Store,
  policy: AccessPolicy,
  filter: ResolvedFilter,
  { known, budget = defaultBudget(store) }: ReferenceTerms<U> = {},
): Promise<Referenced | U> {
  const idsOf = new Map<ReferencedCondition, ReadonlySet<Scalar>>()
  let state: string | undefined
  for (const condition of referencedConditions(filter)) {
    if (idsOf.size === maxConditions) throw tooManyConditions()
    const isFirst = idsOf.size === 0
    const terms = { budget, known: isFirst ? known : undefined }
    const found = await readIds(store, policy, condition, terms)
    if (found.unchanged) return found
    state ??= found.state
    idsOf.set(condition, found.ids)
  }
  return { predicate: replaceConditions(filter, idsOf), state }
}

const defaultBudget = (store: Store): RowBudget => ({
  maxRows: queryLimits.referencedRows,
  rowsBefore: store.cost.rowsRead,
  advice: 'Use fewer conditions on referenced records, or narrower ones.',
})

const tooManyConditions = () =>
  invalidField(
    '$filter',
    'too_long',
    `must have at most ${maxConditions} conditions on referenced records. Conditions on the same reference that stand together count once.`,
  )

function referencedConditions(filter: ResolvedFilter): ReferencedCondition[] {
  if ('and' in filter) return filter.and.flatMap(referencedConditions)
  if ('or' in filter) return filter.or.flatMap(referencedConditions)
  if ('not' in filter) return referencedConditions(filter.not)
  return 'condition' in filter ? [filter] : []
}

function replaceConditions(
  filter: ResolvedFilter,
  idsOf: ReadonlyMap<ReferencedCondition, ReadonlySet<Scalar>>,
): Predicate {
  const replace = (part: ResolvedFilter) => replaceConditions(part, idsOf)
  if ('and' in filter) return { and: filter.and.map(replace) }
  if ('or' in filter) return { or: filter.or.map(replace) }
  if ('not' in filter) return { not: replace(filter.not) }
  if (!('condition' in filter)) return filter
  const field = { path: filter.reference.path, isList: false }
  return { field, values: idsOf.get(filter) ?? new Set() }
}

async function readIds<U extends Unchanged>(
  store: Store,
  policy: AccessPolicy,
  { reference: { to }, condition }: ReferencedCondition,
  terms: ReferenceTerms<U>,
): Promise<{ unchanged?: false; ids: ReadonlySet<Scalar>; state: string } | U> {
  const guard = { permissions: ['read'], collection: to, policy } as const
  const limits = policy.hiddenRecords(to).map(({ visible }) => filterPredicate(visible, to))
  const predicate = limits.length > 0 ? { and: [condition, ...limits] } : condition
  const reader = new QueryReader(store, guard, terms)
  const found = await findMatches(reader, { plan: buildPlan(predicate) }, { blocks: 'all' })
  const matches = await decideAll(found)
  if (matches.size > maxReferenced) {
    throw invalidField(
      '$filter',
      'too_large',
      `A condition on referenced records must be true for at most ${formatRecordCount(maxReferenced, to)}. Narrow it, for example by a date.`,
    )
  }
  const columns = { id: text(sql`records.id`) }
  const { rows } = await readCandidates(
    reader,
    { predicate, order: [], limit: maxReferenced, skip: 0, isCounted: false },
    Array.from(matches.ordinals(), (ordinal) => ({ ordinal, keys: [] })),
    columns,
  )
  if (reader.unchanged) return reader.unchanged
  return { ids: new Set(decodeRows(columns, rows).map(({ id }) => id)), state: reader.state }
}
