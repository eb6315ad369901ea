import { sql } from 'drizzle-orm/sql'
import type { AccessPolicy } from '../../access/access-policy.ts'
import { filterPredicate } from '../../access/collection-properties.ts'
import { invalidField } from '../../model/api-error.ts'
import { formatRecordCount } from '../../model/collection.ts'
import type { Predicate, Scalar } from '../../model/query/predicate.ts'
import type {
  DerivedCondition,
  ReferencedCondition,
  ResolvedFilter,
} from '../../model/query/resolve.ts'
import { decodeRows, text } from '../columns.ts'
import { decideAll, findMatches } from '../query/find-matches.ts'
import { buildPlan } from '../query/plan.ts'
import { QueryReader, queryLimits, type RowBudget } from '../query/query-reader.ts'
import { readCandidates } from '../query/read-candidates.ts'
import type { Known, Unchanged } from '../state.ts'
import type { Store } from '../store.ts'
import type { DerivedField } from './list-selection.ts'

const [maxConditions, maxReferenced] = [5, 5000]

/** A predicate with the ids of referenced records, and the state if any were read. */
type Referenced = { unchanged?: false; predicate: Predicate; state: string | undefined }

/** The rows that conditions on references may read together, the versions that the caller knows, and the derived field that the filter can name. */
type ReferenceTerms<U extends Unchanged> = {
  budget?: RowBudget | undefined
  known?: Known<U> | undefined
  derived?: DerivedField | undefined
}

/**
 * Replaces each condition on referenced records by a test for their ids, and each on a derived field by a test of the
 * fields that decide it. Throws 400 beyond 5 conditions, 5,000 ids of one, or the rows of the budget: by default
 * 200,000 for all conditions together.
 */
export async function readReferenced<U extends Unchanged = never>(
  store: Store,
  policy: AccessPolicy,
  filter: ResolvedFilter,
  { known, budget = defaultBudget(store), derived }: ReferenceTerms<U> = {},
): Promise<Referenced | U> {
  const idsOf = new Map<ReferencedCondition, ReadonlySet<Scalar>>()
  let state: string | undefined
  const conditions = leavesOf(filter)
  if (conditions.filter(needsRead).length > maxConditions) throw tooManyConditions()
  for (const condition of conditions) {
    if (!('condition' in condition)) continue
    const isFirst = idsOf.size === 0
    const terms = { budget, known: isFirst ? known : undefined }
    const found = await readIds(store, policy, condition, terms)
    if (found.unchanged) return found
    state ??= found.state
    idsOf.set(condition, found.ids)
  }
  if (!derived || !conditions.some(isDerived))
    return { predicate: replaceConditions(filter, { idsOf }), state }
  const parts = 'and' in filter ? filter.and : [filter]
  const found = await derived.find(store, {
    within: parts
      .filter((part) => !leavesOf(part).some(isDerived))
      .map((part) => replaceConditions(part, { idsOf })),
    budget,
    known: state === undefined ? known : undefined,
  })
  if (found.unchanged) return found
  return {
    predicate: replaceConditions(filter, { idsOf, derived: found.predicate }),
    state: state ?? found.state,
  }
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
    `must have at most ${maxConditions} conditions on referenced records and derived fields. Conditions on the same reference that stand together count once.`,
  )

type Condition = Exclude<ResolvedFilter, { and: unknown } | { or: unknown } | { not: unknown }>

function leavesOf(filter: ResolvedFilter): Condition[] {
  if ('and' in filter) return filter.and.flatMap(leavesOf)
  if ('or' in filter) return filter.or.flatMap(leavesOf)
  return 'not' in filter ? leavesOf(filter.not) : [filter]
}

const isDerived = (condition: Condition) => 'derived' in condition
const needsRead = (condition: Condition) => 'condition' in condition || isDerived(condition)

/** What replaces conditions: the ids of the referenced records, and the predicate of the derived field. */
type Replaced = {
  idsOf: ReadonlyMap<ReferencedCondition, ReadonlySet<Scalar>>
  derived?: Predicate
}

function replaceConditions(filter: ResolvedFilter, replaced: Replaced): Predicate {
  const replace = (part: ResolvedFilter) => replaceConditions(part, replaced)
  if ('and' in filter) return { and: filter.and.map(replace) }
  if ('or' in filter) return { or: filter.or.map(replace) }
  if ('not' in filter) return { not: replace(filter.not) }
  if ('derived' in filter) return replaceDerived(filter, replaced)
  if (!('condition' in filter)) return filter
  const field = { path: filter.reference.path, isList: false }
  return { field, values: replaced.idsOf.get(filter) ?? new Set() }
}

/** A derived field is true or false, and never missing. */
function replaceDerived(
  { derived: name, value }: DerivedCondition,
  { derived }: Replaced,
): Predicate {
  if (!derived || value === null)
    return { field: { path: [`$${name}`], isList: false }, values: new Set() }
  return value ? derived : { not: derived }
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
