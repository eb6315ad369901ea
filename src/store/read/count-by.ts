import type { SQL } from 'drizzle-orm/sql'
import type { FieldPath, Predicate, Scalar } from '../../model/query/predicate.ts'
import { resolveField } from '../../model/query/resolve.ts'
import { decideAll, findMatches } from '../query/find-matches.ts'
import { OrdinalSet } from '../query/ordinal-set.ts'
import { anyValueOf, buildPlan, type Leaf, type Plan } from '../query/plan.ts'
import { QueryReader } from '../query/query-reader.ts'
import { readBlocks } from '../query/read-blocks.ts'
import type { QueryGuard } from '../query/record-query.ts'
import { type IndexValue, toScalar } from '../query/term-ranges.ts'
import type { Row } from '../statement.ts'
import type { Store } from '../store.ts'
import type { GroupedTypes, GroupQuery, GroupReader } from './groups.ts'
import { withFields } from './with-fields.ts'

/**
 * The number of records with each value, most frequent first, then in order of value. A record whose
 * list has several values counts for each of them.
 */
export type ValueCounts = {
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
  { by, limit, condition, ...filters }: GroupQuery,
  types: GroupedTypes = {},
): Promise<ValueCounts> =>
  store.withPolicy(async (policy) => {
    const guard = { permissions: ['read'], collection, policy } as const
    const { result } = await withFields(
      store,
      guard,
      types,
      filters,
      ({ fields, predicate }) => ({
        predicate:
          condition && predicate ? { and: [predicate, condition] } : (condition ?? predicate),
        field: resolveField('count', by, fields),
      }),
      ({ predicate, field }, head) =>
        countBy(store, guard, head, { predicate, field, limit, budget: filters.budget }),
    )
    const { head: _, state: _state, ...counts } = result
    return counts
  })

/** Counts the records in each group. */
export const readCounts: GroupReader<number> = async (...query) => {
  const { groups, missing, total, isCut } = await countListBy(...query)
  const withValue = groups.map(({ value, count }) => ({ value, parts: count }))
  const withoutValue = missing > 0 ? [{ value: null, parts: missing }] : []
  return { groups: [...withValue, ...withoutValue], total, isCut }
}

/** A predicate, and the field to count by. */
type FieldCount = Pick<GroupQuery, 'limit' | 'budget'> & {
  predicate: Predicate | undefined
  field: FieldPath
}

/** Counts the records that pass a predicate by a field, with additional columns of a head. */
export async function countBy(
  store: Store,
  guard: QueryGuard,
  head: Record<string, SQL>,
  { predicate, field, limit, budget }: FieldCount,
): Promise<ValueCounts & { head: Row; state: string }> {
  const reader = new QueryReader(store, guard, { head, budget })
  const { total, counts, valued } =
    predicate || field.isList
      ? await countMatches(reader, predicate && buildPlan(predicate), anyValueOf(field))
      : await countTerms(reader, anyValueOf(field))
  const groups = counts
    .map(({ value, count }) => ({ value: toScalar(value), count }))
    .sort((one, other) => other.count - one.count)
  return {
    head: reader.head,
    state: reader.state,
    groups: groups.slice(0, limit),
    missing: total - valued,
    total,
    isCut: groups.length > limit,
  }
}

type TermCounts = {
  counts: { value: IndexValue; count: number }[]
  total: number
  /** The number of records with a value. */
  valued: number
}

/** Counts all records by the terms' counts, without reading bitmaps. */
async function countTerms(reader: QueryReader, leaf: Leaf): Promise<TermCounts> {
  const { terms, count } = await readBlocks(reader, {
    leaves: [leaf],
    grouped: 0,
    blocks: 'all',
    readsLeaves: false,
    readsCollection: false,
  })
  const valued = terms.reduce((sum, term) => sum + term.count, 0)
  return { counts: terms, total: count, valued }
}

async function countMatches(
  reader: QueryReader,
  plan: Plan | undefined,
  grouped: Leaf,
): Promise<TermCounts> {
  const found = await findMatches(reader, { plan }, { blocks: 'all', grouped })
  const { terms, first, width } = found.blocks
  const matched = await decideAll(found)
  const valued = new OrdinalSet(first, width)
  const counts: TermCounts['counts'] = []
  for (const { leaf, value, words } of terms) {
    if (leaf !== found.groupedLeaf) continue
    const count = matched.countWords(words)
    if (count > 0) counts.push({ value, count })
    valued.addWords(words)
  }
  return { counts, total: matched.size, valued: matched.intersect(valued).size }
}
