import type { Order } from '../../model/query/query-options.ts'
import { buildPlan, indexField, isLeaf, isRange, type Leaf, type Plan } from './plan.ts'
import type { Blocks } from './read-blocks.ts'
import type { RecordQuery } from './record-query.ts'

/** The plan of a query, and the two cases in which it need not read all bitmaps. */
export type QueryPlan = {
  /** The plan of the filter; undefined without one. */
  whole: Plan | undefined
  /** Its parts, all of which must hold. */
  parts: readonly Plan[]
  /** The part that is a range of the first field of the order: a walk along the terms of this range needs no bitmaps for it. */
  range: Leaf | undefined
  /**
   * How the counts of terms give the total, if they do: the filter is the one leaf, or its negation, or there is no
   * filter (and no leaf). Not for a field that is a list, because a record may have several of its terms.
   */
  counted: { leaf: Leaf | undefined; isNegated: boolean } | undefined
}

/** Throws 400 for a filter with a text over 256 bytes. */
export function planQuery({ predicate, order, created, changed }: RecordQuery): QueryPlan {
  const whole = predicate && buildPlan({ and: [predicate] })
  const parts = whole ? ('and' in whole ? whole.and : [whole]) : []
  const [first] = order
  return {
    whole,
    parts,
    range: first && parts.filter(isLeaf).find((part) => isRangeOf(part, first)),
    counted: created || changed ? undefined : findCounted(parts),
  }
}

const isRangeOf = (leaf: Leaf, { field }: Order) =>
  !leaf.field.isList && indexField(leaf.field) === indexField(field) && isRange(leaf)

function findCounted([only, ...others]: readonly Plan[]): QueryPlan['counted'] {
  if (!only) return { leaf: undefined, isNegated: false }
  const isNegated = 'not' in only
  const leaf = isNegated ? only.not : only
  return others.length === 0 && isLeaf(leaf) && !leaf.field.isList ? { leaf, isNegated } : undefined
}

/** The number of records that pass, from the counts of terms; undefined if these do not give it. */
export function countByTerms(
  { counted }: QueryPlan,
  { terms, count }: Pick<Blocks, 'terms' | 'count'>,
): number | undefined {
  if (!counted) return undefined
  if (!counted.leaf) return count
  if (terms.some(({ isCertain }) => !isCertain)) return undefined
  const passing = terms.reduce((sum, term) => sum + term.count, 0)
  return counted.isNegated ? count - passing : passing
}
