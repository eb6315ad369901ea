import type { Position } from '../../model/query/query-options.ts'
import { maxRowsRead } from '../bitmap/matches.ts'
import type { Columns } from '../columns.ts'
import { decideAll, findMatches } from './find-matches.ts'
import { firstStep, OrderWalk, rowsPerSorted, selectStep } from './order-walk.ts'
import type { OrdinalSet } from './ordinal-set.ts'
import { countByTerms, type QueryPlan } from './plan-query.ts'
import { type QueryReader, queryLimits } from './query-reader.ts'
import { type Blocks, readBlocks } from './read-blocks.ts'
import { type Candidate, readCandidates } from './read-candidates.ts'
import type { PagePart, RecordQuery } from './record-query.ts'

/**
 * Reads a page in the order of `$orderby`. If few records pass the filter, it sorts them all. Otherwise it walks along
 * the terms of the order's first field (see order-walk.ts); the first statement already reads the first bitmaps of
 * the walk.
 */
export async function readOrdered(
  reader: QueryReader,
  query: RecordQuery,
  plan: QueryPlan,
  columns: Columns,
): Promise<PagePart> {
  const { order, limit, skip, after } = query
  const maxCandidates = skip + limit + 1
  const ranges = plan.range?.ranges
  const parts = partsToFind(query, plan)
  // Without other conditions and with one field, each bitmap that the walk reads has a record of the page.
  const isDirect = parts === undefined && order.length === 1
  const bitmaps = isDirect ? maxCandidates + 1 : Math.max(queryLimits.stepBitmaps, 4 * limit)
  const step = limit === 0 ? undefined : firstStep({ order, after, ranges }, 0, bitmaps)
  const walk = step && selectStep(reader.scope, step)
  const { matched, blocks, total } = await findAll(reader, query, plan, parts, walk)
  if (limit === 0) return { rows: [], next: undefined, total }
  // If one in ten records passes, a walk reads ten records for each record of the page. With so few matches, it is
  // faster to sort them all.
  const few = Math.max(queryLimits.sortedMatches, Math.sqrt((maxCandidates * blocks.count) / 4))
  const maxSorted = (maxRowsRead - reader.rowsRead) / rowsPerSorted - maxCandidates
  if (matched && matched.size <= Math.min(few, maxSorted)) {
    const candidates = Array.from(matched.ordinals(), (ordinal) => ({ ordinal, keys: [] }))
    const { rows, last, isCut } = await readCandidates(reader, query, candidates, columns, ranges)
    return { rows, next: isCut ? last : undefined, total }
  }
  const { candidates, isMore } = await new OrderWalk(reader, {
    order,
    after,
    ranges,
    matched,
  }).gather(maxCandidates, step, blocks.walked)
  const { rows, last, isCut } = await readCandidates(reader, query, candidates, columns)
  const next = isMore || isCut ? (last ?? positionOf(candidates.at(-1), order.length)) : undefined
  return { rows, next, total }
}

/** The parts of the plan to find by bitmaps before the walk; undefined if the walk needs none. */
function partsToFind({ isCounted, created, changed }: RecordQuery, plan: QueryPlan) {
  const isRangeCounted = isCounted && !plan.counted
  const parts = isRangeCounted ? plan.parts : plan.parts.filter((part) => part !== plan.range)
  return parts.length > 0 || created || changed ? parts : undefined
}

async function findAll(
  reader: QueryReader,
  { isCounted, created, changed }: RecordQuery,
  plan: QueryPlan,
  parts: QueryPlan['parts'] | undefined,
  walk: ReturnType<typeof selectStep>,
): Promise<{ matched: OrdinalSet | undefined; blocks: Blocks; total: number | undefined }> {
  if (parts) {
    const conditions = { plan: { and: parts }, created, changed }
    const found = await findMatches(reader, conditions, { blocks: 'all', walk })
    const matched = await decideAll(found)
    return { matched, blocks: found.blocks, total: isCounted ? matched.size : undefined }
  }
  const { leaf } = plan.counted ?? {}
  const blocks = await readBlocks(reader, {
    leaves: isCounted && leaf ? [leaf] : [],
    readsLeaves: false,
    readsCollection: false,
    blocks: 'all',
    walk,
  })
  return { matched: undefined, blocks, total: isCounted ? countByTerms(plan, blocks) : undefined }
}

/**
 * The position to continue after if all candidates were dropped: after the last. If the walk has found only the first
 * values of its order, the position is after all records with these values.
 */
function positionOf(candidate: Candidate | undefined, length: number): Position | undefined {
  if (!candidate) return undefined
  const { keys, ordinal } = candidate
  return {
    keys: Array.from({ length }, (_, index) => keys[index] ?? null),
    ordinal: keys.length === length ? ordinal : Number.MAX_SAFE_INTEGER,
  }
}
