import { sql } from 'drizzle-orm/sql'
import type { Scope } from '../statement.ts'
import { bitmapAfter, blockSize, ordinals, recordCount, rowsUpTo } from './bits.ts'
import { pageByLastChange } from './by-last-change.ts'
import { buildComparedPage, hasLongText } from './long-texts.ts'
import { type BitmapMatches, matchFilters } from './matches.ts'
import { cursorOf, type ExportCursor, type PageQuery, type PageSql } from './page-query.ts'

/**
 * A page of the records that pass every filter. Without `counted`, skips the reads that
 * only the total needs.
 */
export function buildPage(scope: Scope, query: PageQuery, counted: boolean): PageSql {
  const { filters } = query
  if (isFirstPage(query)) return buildFirstPage(scope, query)
  const matching = matchFilters(scope, filters, query.created)
  if (query.changed) return pageByLastChange(scope, query, query.changed, matching, counted)
  const long = filters.filter(hasLongText)
  if (long.length > 0) return buildComparedPage(scope, query, matching, long)
  const several = filters.length > 1
  const cursor = cursorOf(query)
  const list = cursor
    ? selectPageAfter(cursor, matching)
    : `${selectFirstBlock(query, matching, several)}, ${selectPage(query, matching)}`
  const last = `list ->> (skip + ${query.limit - 1})`
  return {
    with: sql`WITH RECURSIVE ${matching.with}, ${sql.raw(list)}`,
    // Reuses the count of the records before the page.
    total:
      several && query.offset > 0 && !cursor
        ? sql`coalesce(
            (SELECT before + ${sql.raw(countIn(matching.rows, 'first', 'first.start'))} FROM first),
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
 * SQL for `first`: the block at the offset, with its `start`, the records `before` it and
 * its own count (`held`; 0 without an offset). Beyond the last record, `start` is beyond the last
 * block, or there is no row.
 */
function selectFirstBlock(
  { offset }: PageQuery,
  { rows, first }: BitmapMatches,
  several: boolean,
): string {
  if (offset === 0) {
    return `first AS (
      SELECT term, ${first} AS start, 0 AS before, 0 AS held, last, count FROM driver WHERE count > 0
    )`
  }
  return `${buildSeek(offset, rows, first)},
    first AS ${several ? 'MATERIALIZED' : ''} (
      SELECT term, start, before, held, last, count FROM seek WHERE ${hasRecord(offset)} OR ${isBeyond}
    )`
}

/**
 * SQL for `page`: a JSON `list` of ordinals and the number to `skip`. Reads the first block
 * if it completes the page, otherwise the estimated blocks if they suffice, otherwise up to one
 * block per record.
 */
function selectPage({ limit, offset }: PageQuery, { rows }: BitmapMatches): string {
  const all = Number.MAX_SAFE_INTEGER
  return `
    likely AS (
      SELECT
        term, start, ${offset} - before AS skip, before + held - ${offset} AS rest,
        2 + 2 * ${limit} * last / (${blockSize} * count) AS blocks
      FROM first ${offset === 0 ? `` : `WHERE NOT (${isBeyond})`} LIMIT 1
    ),
    bounds AS (
      SELECT term, start, skip, CASE
        WHEN rest >= ${limit} THEN start + 1
        WHEN 2 * blocks > ${limit} THEN ${all}
        ${offset === 0 ? `WHEN ${countIn(rows, 'likely', 'likely.start', '1')} >= ${limit} THEN start + 1` : ''}
        WHEN ${countIn(rows, 'likely', 'likely.start', 'blocks')} >= ${limit} + skip
          THEN start + blocks
        ELSE ${all} END AS beyond
      FROM likely
    ),
    page AS MATERIALIZED (
      SELECT skip, '[' || group_concat(${ordinals}) || ']' AS list
      FROM (
        ${rows('bounds.term', 'bitmaps.block >= bounds.start AND bitmaps.block < bounds.beyond', {
          table: 'bounds',
          selected: 'bounds.skip',
        })}
        LIMIT ${limit}
      )
    )`
}

/**
 * SQL for the `page` of an export after a cursor. `more` is the last ordinal if later
 * blocks may have records.
 */
const selectPageAfter = ({ ordinal, blocks }: ExportCursor, { rows }: BitmapMatches) => `
  page AS MATERIALIZED (
    SELECT 0 AS skip, list, iif(blocks = ${blocks}, list ->> '$[#-1]', NULL) AS more
    FROM (
      SELECT count(*) AS blocks, '[' || group_concat(${ordinals}) || ']' AS list
      FROM (
        SELECT block, ${bitmapAfter(ordinal)}
        FROM (
          ${rows('(SELECT term FROM driver)', `bitmaps.block >= ${Math.floor(ordinal / blockSize)}`)}
          LIMIT ${blocks}
        )
      )
    )
  )`

/**
 * SQL for the number of records in all blocks from `start`, or in the given number of
 * blocks. `of` is the table with the `term`.
 */
const countIn = (rows: BitmapMatches['rows'], of: string, start: string, blocks?: string) => `(
  SELECT coalesce(sum(count), 0)
  FROM (${rows(
    `${of}.term`,
    `bitmaps.block >= ${start}${blocks ? ` AND bitmaps.block < ${start} + ${blocks}` : ''}`,
  )})
)`

const isBeyond = `start > last / ${blockSize}`

/** SQL that tests whether a row of `seek` has the record at the offset. */
const hasRecord = (offset: number) => `width = 1 AND before + held > ${offset}`

/**
 * SQL for `seek`, with the block of the record at `offset`, or one beyond all, as last row.
 * Counts ranges of blocks, sized by the density so far but at most a quarter of all blocks, and
 * splits the range with the record into eighths.
 */
function buildSeek(offset: number, rows: BitmapMatches['rows'], block: string): string {
  const toWidth = (of: string, blocks: string, max: string) => `CAST(max(1, min(
    ${max}, ${blocks} * (31 + 1.0 * ${of}.count / ${of}.last) / 32
  )) AS INTEGER)`
  const maxWidth = `max(8, driver.last / ${blockSize} / 4)`
  const first = toWidth(
    'driver',
    `${offset} * (driver.last / ${blockSize}.0) / driver.count`,
    maxWidth,
  )
  const past = `seek.before + seek.held <= ${offset}`
  const start = `(seek.start + iif(${past}, seek.width, 0))`
  const left = `(${offset} - seek.before - seek.held)`
  const further = `iif(seek.held > 0, ${left} * 1.0 * seek.width / seek.held, 2 * seek.width)`
  const eighth = 'max(1, seek.width / 8)'
  const width = `iif(${past}, ${toWidth('seek', further, 'seek.max_width')}, ${eighth})`
  return `seek (term, start, width, max_width, before, held, last, count) AS (
    SELECT term, ${block}, ${first}, ${maxWidth}, 0, ${countIn(rows, 'driver', block, first)}, last, count
    FROM driver WHERE count > ${offset}
    UNION ALL
    SELECT
      term, ${start}, ${width}, iif(${past}, max_width, ${eighth}), before + iif(${past}, held, 0),
      ${countIn(rows, 'seek', start, width)}, last, count
    FROM seek WHERE NOT (${hasRecord(offset)}) AND NOT (${isBeyond})
  )`
}
