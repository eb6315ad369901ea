import { blockSize } from '../bitmap/bits.ts'
import type { Columns } from '../columns.ts'
import { decideAll, findMatches } from './find-matches.ts'
import { countByTerms, type QueryPlan } from './plan-query.ts'
import { type QueryReader, queryLimits, tooManyRows } from './query-reader.ts'
import type { Window } from './read-blocks.ts'
import { readCandidates } from './read-candidates.ts'
import type { PagePart, RecordQuery } from './record-query.ts'

/** The factor by which the last windows of a page are larger than the first. */
const maxGrowth = 16

/*
 * Reads a page in order of arrival, which is the order of the bits in the index. It evaluates the filter in a window
 * of blocks that probably has the page, then in further and larger windows until the page is full.
 */

export async function readArrivals(
  reader: QueryReader,
  query: RecordQuery,
  plan: QueryPlan,
  columns: Columns,
): Promise<PagePart> {
  const { limit, skip, after } = query
  const { total, ordinals, searched, isEnd } = await searchArrivals(reader, query, plan)
  if (limit === 0) return { rows: [], next: undefined, total }
  if (!isEnd && ordinals.length < skip)
    throw tooManyRows('Continue from page to page with $skiptoken instead of an offset.')
  const candidates = ordinals.slice(skip, skip + limit).map((ordinal) => ({ ordinal, keys: [] }))
  const { rows, last, isCut } = await readCandidates(reader, query, candidates, columns)
  if (isCut) return { rows, next: last ?? after, total }
  const isFull = ordinals.length > skip + limit
  const end = isFull ? candidates.at(-1)?.ordinal : searched
  const next = isFull || !isEnd ? { keys: [], ordinal: end ?? searched } : undefined
  return { rows, next, total }
}

type Arrivals = {
  /** The ordinals of the records to skip, of the page, and of one after it. */
  ordinals: number[]
  /** The ordinal up to which the search went. */
  searched: number
  /** Whether it searched all blocks. */
  isEnd: boolean
  total: number | undefined
}

/** Searches block by block until the page is full, or half of the rows are spent. */
async function searchArrivals(
  reader: QueryReader,
  { limit, skip, after, isCounted, created, changed }: RecordQuery,
  plan: QueryPlan,
): Promise<Arrivals> {
  const maxOrdinals = limit === 0 ? 0 : skip + limit + 1
  const ordinals: number[] = []
  let searched = after?.ordinal ?? 0
  let total: number | undefined
  let mayCountByTerms = plan.counted !== undefined
  for (let growth = 1; ; growth = Math.min(4 * growth, maxGrowth)) {
    const rowsBefore = reader.rowsRead
    const countsAll = isCounted && total === undefined && !mayCountByTerms
    const found = await findMatches(
      reader,
      { plan: plan.whole, created, changed },
      { blocks: countsAll ? 'all' : windowAfter(searched, plan, maxOrdinals, growth) },
    )
    if (isCounted && total === undefined && !countsAll) {
      total = countByTerms(plan, found.blocks)
      mayCountByTerms = total !== undefined
      if (!mayCountByTerms) continue
    }
    const { ordinals: matches, end } = countsAll
      ? { ordinals: await decideAll(found), end: Number.POSITIVE_INFINITY }
      : await found.decide(maxOrdinals === 0 ? 0 : queryLimits.windowTexts)
    if (countsAll) total = matches.size
    for (const ordinal of matches.ordinals(searched)) {
      if (ordinals.length === maxOrdinals) break
      ordinals.push(ordinal)
    }
    const { first, width, isLast } = found.blocks
    searched = Math.min(end, blockSize * (first + width) - 1)
    const isEnd = isLast && end === Number.POSITIVE_INFINITY
    // The next window may read four times as many rows.
    const isSpent = 4 * (reader.rowsRead - rowsBefore) > reader.rowsLeft
    if (isEnd || ordinals.length === maxOrdinals || isSpent)
      return { ordinals, searched, isEnd, total }
  }
}

/** The window of blocks after an ordinal that probably has `max` matches. */
function windowAfter(ordinal: number, { counted }: QueryPlan, max: number, growth: number): Window {
  const leaf = counted?.leaf ? 0 : -1
  return {
    first: Math.floor((ordinal + 1) / blockSize),
    maxBitmaps: max === 0 ? 0 : growth * queryLimits.windowBitmaps,
    enough: counted && !counted.isNegated ? { leaf, matches: growth * max } : undefined,
  }
}
