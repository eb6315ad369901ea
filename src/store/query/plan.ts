import { isNegation, negations } from '../../model/query/operators.ts'
import type { FieldPath, Membership, Predicate } from '../../model/query/predicate.ts'
import { toRanges } from './term-operators.ts'
import { anyValue, equalTo, intersectRanges, type LongTest, type TermRange } from './term-ranges.ts'

/*
 * The plan of a filter says which terms of the index to read. It is the tree of the filter's `and`, `or` and `not`;
 * its leaves are comparisons, each as ranges of the terms of one field: `price ge 5` is the terms of `price` from 5 on.
 * Leaves are numbered from left to right.
 */

/** A comparison, or a test whether a field has one of some values. */
export type Leaf = {
  field: FieldPath
  /** The records with these terms pass. */
  ranges: readonly TermRange[]
  /** The test of texts over 256 bytes, if the index does not decide it. */
  longTest?: LongTest
}

export type Plan = { and: readonly Plan[] } | { or: readonly Plan[] } | { not: Plan } | Leaf

export const isLeaf = (plan: Plan): plan is Leaf => 'ranges' in plan

/** The name of a field in the index. */
export const indexField = ({ path }: FieldPath) => path.join('.')

/** The leaf of all records with a value in a field. */
export const anyValueOf = (field: FieldPath): Leaf => ({ field, ranges: [anyValue] })

/** The plan of a predicate. Throws 400 for a text over 256 bytes. */
export function buildPlan(predicate: Predicate): Plan {
  if ('and' in predicate) return { and: mergeRanges(predicate.and.map(buildPlan)) }
  if ('or' in predicate) return { or: predicate.or.map(buildPlan) }
  if ('not' in predicate) return negate(buildPlan(predicate.not))
  if ('values' in predicate) return buildMembership(predicate)
  const { field, operator, value } = predicate
  if (isNegation(operator))
    return negate(buildPlan({ ...predicate, operator: negations[operator] }))
  if (value === null) return operator === 'eq' ? { not: anyValueOf(field) } : { field, ranges: [] }
  return { field, ...toRanges({ ...predicate, operator }) }
}

const negate = (plan: Plan): Plan => ('not' in plan ? plan.not : { not: plan })

function buildMembership({ field, values }: Membership): Leaf {
  const members = [...values].map((value) => ({ value, range: equalTo(value) }))
  const patterns = members.flatMap(({ value, range }) => (range.isLong ? [String(value)] : []))
  return {
    field,
    ranges: members.map(({ range }) => range),
    ...(patterns.length > 0 && {
      longTest: { operator: 'in', patterns } as const,
    }),
  }
}

/**
 * Merges comparisons with one field that must all hold: `date ge … and date lt …` would otherwise
 * read half of the field's terms each. In a list, different elements may pass them.
 */
function mergeRanges(parts: readonly Plan[]): Plan[] {
  const merged: Plan[] = []
  for (const part of parts.flatMap((it) => ('and' in it ? it.and : [it]))) {
    const index = merged.findIndex((it) => isSameField(it, part))
    const previous = merged[index]
    if (previous && isLeaf(previous) && isLeaf(part)) merged[index] = intersect(previous, part)
    else merged.push(part)
  }
  return merged
}

const isSameField = (one: Plan, other: Plan): boolean =>
  canMerge(one) && canMerge(other) && indexField(one.field) === indexField(other.field)

const intersect = (one: Leaf, other: Leaf): Leaf => ({
  field: one.field,
  ranges: one.ranges.flatMap((range) =>
    other.ranges.flatMap((otherRange) => intersectRanges(range, otherRange)),
  ),
})

/** A membership may have thousands of ranges, too many to intersect with those of another. */
const canMerge = (plan: Plan): plan is Leaf => isLeaf(plan) && !plan.field.isList && isRange(plan)

/** Whether a leaf is one comparison by the order of values. That has up to two ranges, of texts and of long texts. */
export const isRange = ({ ranges }: Leaf): boolean =>
  ranges.length <= 2 && ranges.every(({ test }) => !test)

/** The leaves of a plan, from left to right. */
export const leavesOf = (plan: Plan): Leaf[] =>
  isLeaf(plan) ? [plan] : partsOf(plan).flatMap(leavesOf)

const partsOf = (plan: Exclude<Plan, Leaf>): readonly Plan[] => {
  if ('not' in plan) return [plan.not]
  return 'and' in plan ? plan.and : plan.or
}

/** Whether every record that passes is in some leaf. Otherwise, as for `not`, the query also needs the bitmaps of the whole collection. */
export function isBounded(plan: Plan, isNegated = false): boolean {
  if (isLeaf(plan)) return !isNegated
  if ('not' in plan) return isBounded(plan.not, !isNegated)
  const isPartBounded = (part: Plan) => isBounded(part, isNegated)
  // The negation of a disjunction is a conjunction of negations, and the other way round.
  const isConjunction = 'and' in plan !== isNegated
  return isConjunction ? partsOf(plan).some(isPartBounded) : partsOf(plan).every(isPartBounded)
}
