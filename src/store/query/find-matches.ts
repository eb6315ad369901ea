import { sql } from 'drizzle-orm/sql'
import type { FieldPath } from '../../model/query/predicate.ts'
import type { TimeRange } from '../bitmap/time-ranges.ts'
import { integer, optional, text } from '../columns.ts'
import {
  evaluate,
  exactly,
  intersect,
  type Matches,
  matchLeaves,
  testLongTexts,
} from './evaluate.ts'
import { OrdinalSet } from './ordinal-set.ts'
import { anyValueOf, indexField, isBounded, type Leaf, leavesOf, type Plan } from './plan.ts'
import { type QueryReader, queryLimits, tooManyRows } from './query-reader.ts'
import { type BlockRequest, type Blocks, readBlocks, type Window } from './read-blocks.ts'
import { jsonPath } from './sort-keys.ts'

/** The records to find: they pass the plan of a filter, and were created and last changed in these ranges. */
export type Conditions = {
  plan: Plan | undefined
  created?: TimeRange | undefined
  changed?: TimeRange | undefined
}

/** The blocks to search, and the first bitmaps of a walk in an order, which the same statement also reads. */
type Search = { blocks: 'all' | Window; walk?: BlockRequest['walk'] }

/** The result of a search. */
type Found = {
  blocks: Blocks
  /**
   * The ordinals of the matches up to `end`. Reads documents where the index does not decide,
   * at most `max`; `end` is Infinity if these are all.
   */
  decide(max: number): Promise<{ ordinals: OrdinalSet; end: number }>
}

/** Finds the records that meet the conditions, in some blocks of ordinals. */
export async function findMatches(
  reader: QueryReader,
  { plan, created, changed }: Conditions,
  { blocks: searched, walk }: Search,
): Promise<Found> {
  const leaves = plan ? leavesOf(plan) : []
  const needsCollection = !(plan && isBounded(plan))
  const blocks = await readBlocks(reader, {
    leaves,
    readsLeaves: true,
    readsCollection: needsCollection,
    blocks: searched,
    created,
    changed,
    walk,
  })
  const everything = new OrdinalSet(blocks.first, blocks.width).invert()
  const evaluateConditions = (matched: readonly Matches[]): Matches => {
    const numbers = new Map(leaves.map((leaf, number) => [leaf, number]))
    const matchesOf = (leaf: Leaf) =>
      matched[numbers.get(leaf) ?? -1] ?? exactly(everything.invert())
    const ofPlan = plan ? evaluate(plan, matchesOf, everything) : exactly(everything)
    const range = blocks.created
    const limits = [
      ...(needsCollection ? [blocks.collection] : []),
      ...(blocks.changed ? [blocks.changed] : []),
      ...(range ? [everything.between(range.after, range.upto)] : []),
    ]
    return limits.map(exactly).reduce(intersect, ofPlan)
  }
  const matched = matchLeaves(blocks, leaves.length)
  // The index stores only the start of a long text, so a record may match `possible` without being `certain`.
  const { certain, possible } = evaluateConditions(matched)
  const undecided = possible.subtract(certain)
  return {
    blocks,
    async decide(max) {
      if (undecided.size === 0) return { ordinals: certain, end: Number.POSITIVE_INFINITY }
      const ordinals = [...undecided.ordinals()]
      const tested = ordinals.slice(0, max)
      const decided = await testLongTexts(reader, leaves, matched, tested, blocks)
      const end = (ordinals[max] ?? Number.POSITIVE_INFINITY) - 1
      return { ordinals: evaluateConditions(decided).certain.between(-1, end), end }
    },
  }
}

/** All matches. Throws 400 if that takes comparing too many documents. */
export async function decideAll(found: Found): Promise<OrdinalSet> {
  const { ordinals, end } = await found.decide(queryLimits.allTexts)
  if (end === Number.POSITIVE_INFINITY) return ordinals
  throw tooManyRows(
    'Too many texts are longer than the index stores: add a filter on another field, or leave out the order and the count.',
  )
}

/**
 * The ordinals of the matched records without a value in a field. Scans the records if the
 * field has many values, such as a number that is different in each record: that reads fewer rows.
 */
export async function findMissing(
  reader: QueryReader,
  field: FieldPath,
  matched: OrdinalSet | undefined,
): Promise<number[]> {
  const isMatched = (ordinal: number) => !matched || matched.has(ordinal)
  if (await hasManyTerms(reader, field)) return (await scanMissing(reader, field)).filter(isMatched)
  const found = await findMatches(reader, { plan: { not: anyValueOf(field) } }, { blocks: 'all' })
  const { ordinals } = await found.decide(0)
  return [...ordinals.ordinals()].filter(isMatched)
}

async function hasManyTerms(reader: QueryReader, field: FieldPath): Promise<boolean> {
  const { organisationId, collection } = reader.scope
  const max = queryLimits.termsOfOrder
  const [row] = await reader.select({
    columns: { terms: integer(sql`count(*)`) },
    from: sql`FROM (
      SELECT 1 FROM terms WHERE organisation_id = ${organisationId} AND collection = ${collection}
        AND field = ${indexField(field)} LIMIT ${max + 1}
    )`,
  })
  return row !== undefined && row.terms > max
}

/** The ordinals of the records without a value. Throws 400 if the collection has too many records. */
async function scanMissing(reader: QueryReader, field: FieldPath): Promise<number[]> {
  const { organisationId, collection } = reader.scope
  const max = reader.rowsLeft
  const isMissing = sql`iif(value_type IN ('text', 'integer', 'real', 'true', 'false'), NULL, ordinal)`
  const [row] = await reader.select({
    columns: {
      count: integer(sql`count(*)`),
      ordinals: optional(text(sql`group_concat(${isMissing})`)),
    },
    from: sql`FROM (
      SELECT ordinal, json_type(document, ${jsonPath(field)}) AS value_type FROM records
      WHERE organisation_id = ${organisationId} AND collection = ${collection} LIMIT ${max}
    )`,
  })
  if (row && row.count >= max)
    throw tooManyRows(
      'Filter by a range of the field of $orderby: that leaves out records without a value.',
    )
  return row?.ordinals?.split(',').map(Number) ?? []
}
