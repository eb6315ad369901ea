import { sql } from 'drizzle-orm/sql'
import type { Scope } from '../statement.ts'
import { bitmapAfter, blockSize, ordinalsOfBlock, recordCount, rowsUpTo } from './bits.ts'
import { pageByLastChange } from './by-last-change.ts'
import { asksForLongText, buildComparedPage } from './long-texts.ts'
import { type BitmapMatches, matchFilters } from './matches.ts'
import { cursorOf, type ExportCursor, type PageQuery, type PageSql } from './page-query.ts'

/*
 * A page of a list in order of arrival, at an offset such as `?town=Leeds&$skip=10000`. Rows are what D1 bills, so
 * the SQL goes through as few bitmaps as it can:
 * 1. `seek` steps through ranges of blocks and adds up the counts in their bitmaps, in large steps first, until one
 *    block has the record at the offset (`first`).
 * 2. `page` reads the bitmaps of that block and the next ones, and lists the ordinals of their bits as JSON.
 * 3. `from` looks up the record of each ordinal.
 * docs/storage.md has the statement and its plan.
 */

/** SQL for a page of the records that pass all filters. Without `counted`, it does not read the rows that only the total needs. */
export function buildPage(scope: Scope, query: PageQuery, counted: boolean): PageSql {
  const { filters } = query
  if (isFirstPage(query)) return buildFirstPage(scope, query)
  const matching = matchFilters(scope, filters, query.created)
  if (query.changed) return pageByLastChange(scope, query, query.changed, matching, counted)
  const long = filters.filter(asksForLongText)
  if (long.length > 0) return buildComparedPage(scope, query, matching, long)
  const several = filters.length > 1
  const cursor = cursorOf(query)
  const list = cursor
    ? selectPageAfter(cursor, matching)
    : `${selectFirstBlock(query, matching, several)}, ${selectPage(query, matching)}`
  const last = `list ->> (skip + ${query.limit - 1})`
  return {
    with: sql`WITH RECURSIVE ${matching.with}, ${sql.raw(list)}`,
    // Adds the records from the page on to the number before it, which `seek` has counted.
    total:
      several && query.offset > 0 && !cursor
        ? sql`coalesce(
            (SELECT before + ${sql.raw(countIn(matching.selectBlocks, 'first', 'first.start'))} FROM first),
            ${matching.total}
          )`
        : matching.total,
    sortKey: sql`records.ordinal`,
    next: sql.raw(`(SELECT ${cursor ? `coalesce(${last}, more)` : last} FROM page)`),
    cost: matching.cost === undefined ? undefined : sql.raw(matching.cost),
    // CROSS JOIN makes VALUES the outer loop, so the records keep its order.
    from: sql`FROM ${sql.raw(rowsUpTo(query.limit))} AS slot CROSS JOIN records
      ON organisation_id = ${scope.organisationId} AND collection = ${scope.collection}
      AND ordinal = (SELECT list FROM page) ->> (slot.column1 + (SELECT skip FROM page))`,
  }
}

const isFirstPage = ({ filters, offset, created, changed, exportPosition }: PageQuery) =>
  filters.length === 0 && offset === 0 && !created && !changed && !exportPosition

/**
 * The unfiltered first page without the bitmap index, which halves D1's time. The limit is
 * not bound, because SQLite would plan the query again at every request.
 */
const buildFirstPage = (scope: Scope, { limit }: PageQuery): PageSql => ({
  with: sql``,
  total: recordCount(scope),
  sortKey: sql`records.ordinal`,
  next: sql`NULL`,
  cost: undefined,
  from: sql`FROM records
    WHERE organisation_id = ${scope.organisationId} AND collection = ${scope.collection}
    ORDER BY ordinal LIMIT ${sql.raw(String(limit))}`,
})

// The SQL below binds no parameters: D1 would bind the request's numbers as REAL.

/**
 * SQL for the table `first`: the block at the offset. `start` is its number; its records are `in_range`, those of earlier
 * blocks `before`; without an offset, both are 0. Beyond the last record, `start` is beyond the last block, or
 * there is no row.
 */
function selectFirstBlock(
  { offset }: PageQuery,
  { selectBlocks, firstBlock }: BitmapMatches,
  several: boolean,
): string {
  if (offset === 0) {
    return `first AS (
      SELECT term, ${firstBlock} AS start, 0 AS before, 0 AS in_range, last, count FROM driving_term WHERE count > 0
    )`
  }
  return `${buildSeek(offset, selectBlocks, firstBlock)},
    first AS ${several ? 'MATERIALIZED' : ''} (
      SELECT term, start, before, in_range, last, count FROM seek WHERE ${hasRecord(offset)} OR ${isBeyond}
    )`
}

/**
 * SQL for the table `page`: a JSON `list` of ordinals, and the number of those to `skip`. Reads the first block if it
 * completes the page, otherwise the estimated blocks if they suffice, otherwise up to one block per record.
 */
function selectPage({ limit, offset }: PageQuery, { selectBlocks }: BitmapMatches): string {
  const endOfBlocks = Number.MAX_SAFE_INTEGER
  return `
    likely AS (
      SELECT
        term, start, ${offset} - before AS skip, before + in_range - ${offset} AS rest,
        2 + 2 * ${limit} * last / (${blockSize} * count) AS blocks
      FROM first ${offset === 0 ? `` : `WHERE NOT (${isBeyond})`} LIMIT 1
    ),
    bounds AS (
      SELECT term, start, skip, CASE
        WHEN rest >= ${limit} THEN start + 1
        WHEN 2 * blocks > ${limit} THEN ${endOfBlocks}
        ${offset === 0 ? `WHEN ${countIn(selectBlocks, 'likely', 'likely.start', '1')} >= ${limit} THEN start + 1` : ''}
        WHEN ${countIn(selectBlocks, 'likely', 'likely.start', 'blocks')} >= ${limit} + skip
          THEN start + blocks
        ELSE ${endOfBlocks} END AS beyond
      FROM likely
    ),
    page AS MATERIALIZED (
      SELECT skip, '[' || group_concat(${ordinalsOfBlock}) || ']' AS list
      FROM (
        ${selectBlocks(
          'bounds.term',
          'bitmaps.block >= bounds.start AND bitmaps.block < bounds.beyond',
          {
            table: 'bounds',
            selected: 'bounds.skip',
          },
        )}
        LIMIT ${limit}
      )
    )`
}

/** SQL for the table `page` of an export after a cursor. `more` is the last ordinal if later blocks may have records. */
const selectPageAfter = ({ ordinal, blocks }: ExportCursor, { selectBlocks }: BitmapMatches) => `
  page AS MATERIALIZED (
    SELECT 0 AS skip, list, iif(blocks = ${blocks}, list ->> '$[#-1]', NULL) AS more
    FROM (
      SELECT count(*) AS blocks, '[' || group_concat(${ordinalsOfBlock}) || ']' AS list
      FROM (
        SELECT block, ${bitmapAfter(ordinal)}
        FROM (
          ${selectBlocks('(SELECT term FROM driving_term)', `bitmaps.block >= ${Math.floor(ordinal / blockSize)}`)}
          LIMIT ${blocks}
        )
      )
    )
  )`

/** SQL for the number of records in all blocks from `start`, or in so many `blocks`. `of` is the table that has the `term`. */
const countIn = (
  selectBlocks: BitmapMatches['selectBlocks'],
  of: string,
  start: string,
  blocks?: string,
) => `(
  SELECT coalesce(sum(count), 0)
  FROM (${selectBlocks(
    `${of}.term`,
    `bitmaps.block >= ${start}${blocks ? ` AND bitmaps.block < ${start} + ${blocks}` : ''}`,
  )})
)`

/** SQL that tests whether a row of `seek` is beyond the last block. */
const isBeyond = `start > last / ${blockSize}`

/** SQL that tests whether a row of `seek` has the record at the offset. */
const hasRecord = (offset: number) => `width = 1 AND before + in_range > ${offset}`

/**
 * SQL for the table `seek`. Each row is a range of `width` blocks from `start` on, with the number of records `in_range`
 * and `before` it; the next row is the range after it, or its first eighth if it has the record at the offset. So the
 * last row is the block of this record, or beyond all blocks. The density so far estimates the width, up to a quarter
 * of all blocks.
 */
function buildSeek(
  offset: number,
  selectBlocks: BitmapMatches['selectBlocks'],
  firstBlock: string,
): string {
  // For a term that few records have, up to 1/32 less, so that a range rarely passes the record at the offset.
  const toWidth = (of: string, blocks: string, max: string) => `CAST(max(1, min(
    ${max}, ${blocks} * (31 + 1.0 * ${of}.count / ${of}.last) / 32
  )) AS INTEGER)`
  const maxWidth = `max(8, driving_term.last / ${blockSize} / 4)`
  const first = toWidth(
    'driving_term',
    `${offset} * (driving_term.last / ${blockSize}.0) / driving_term.count`,
    maxWidth,
  )
  const past = `seek.before + seek.in_range <= ${offset}`
  const start = `(seek.start + iif(${past}, seek.width, 0))`
  const left = `(${offset} - seek.before - seek.in_range)`
  const further = `iif(seek.in_range > 0, ${left} * 1.0 * seek.width / seek.in_range, 2 * seek.width)`
  const eighth = 'max(1, seek.width / 8)'
  const width = `iif(${past}, ${toWidth('seek', further, 'seek.max_width')}, ${eighth})`
  return `seek (term, start, width, max_width, before, in_range, last, count) AS (
    SELECT term, ${firstBlock}, ${first}, ${maxWidth}, 0, ${countIn(selectBlocks, 'driving_term', firstBlock, first)}, last, count
    FROM driving_term WHERE count > ${offset}
    UNION ALL
    SELECT
      term, ${start}, ${width}, iif(${past}, max_width, ${eighth}), before + iif(${past}, in_range, 0),
      ${countIn(selectBlocks, 'seek', start, width)}, last, count
    FROM seek WHERE NOT (${hasRecord(offset)}) AND NOT (${isBeyond})
  )`
}
