import { sql } from 'drizzle-orm'
import type { Scope } from '../statement.ts'
import { bitmapAfter, ordinals, recordCount, rowsUpTo } from './bits.ts'
import { pageByLastChange } from './by-last-change.ts'
import { buildComparedPage, hasLongText } from './long-texts.ts'
import { type Matches, matchFilters } from './matches.ts'
import { cursorOf, type ExportCursor, type Page, type PageQuery } from './page-query.ts'

/**
 * Returns a page of the records that pass every filter, found from the bitmaps alone. Without
 * `counted` it skips the reads that only the total needs.
 */
export function buildPage(scope: Scope, query: PageQuery, counted: boolean): Page {
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
    // The total starts from the count up to the page.
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
    // VALUES comes first and in order, and so do the records: CROSS JOIN keeps it outermost.
    from: sql`FROM ${sql.raw(rowsUpTo(query.limit))} AS slot CROSS JOIN records
      ON organisation_id = ${scope.organisationId} AND collection = ${scope.collection}
      AND ordinal = (SELECT list FROM page) ->> (slot.column1 + (SELECT skip FROM page))`,
  }
}

const isFirstPage = ({ filters, offset, created, changed, pull }: PageQuery) =>
  filters.length === 0 && offset === 0 && !created && !changed && !pull

/**
 * The first page needs no bitmaps even if ordinals are missing, and the shorter statement takes D1
 * half the time. SQLite would plan again at every request if the limit were bound.
 */
const buildFirstPage = (scope: Scope, { limit }: PageQuery): Page => ({
  with: sql``,
  total: recordCount(scope),
  sortKey: sql`records.ordinal`,
  next: sql`NULL`,
  cost: undefined,
  from: sql`FROM records
    WHERE organisation_id = ${scope.organisationId} AND collection = ${scope.collection}
    ORDER BY ordinal LIMIT ${sql.raw(String(limit))}`,
})

// The following SQL binds nothing: its numbers come from the request, and D1 would bind them as
// REAL.

/**
 * Returns SQL for `first`: the block with the record at the offset, its `start`, the number of
 * records `before` it, and its own number (`held`; 0 for the very first, which is not counted).
 * Beyond the last record, the start is beyond the last block, or there is no row.
 */
function selectFirstBlock(
  { offset }: PageQuery,
  { rows, first }: Matches,
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
 * Returns SQL for `page`: a `list` of ordinals as JSON, and how many of them to `skip`. They come
 * from the first block if the rest of it has the whole page; otherwise from the estimated number of
 * blocks if that is small and sufficient; otherwise from as many blocks as the page has records,
 * because no block is empty.
 */
function selectPage({ limit, offset }: PageQuery, { rows }: Matches): string {
  const all = Number.MAX_SAFE_INTEGER
  return `
    likely AS (
      SELECT
        term, start, ${offset} - before AS skip, before + held - ${offset} AS rest,
        2 + 2 * ${limit} * last / (496 * count) AS blocks
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
 * Returns SQL for `page` in an export behind a cursor; `more` is the last ordinal if later blocks
 * may have records.
 */
const selectPageAfter = ({ ordinal, blocks }: ExportCursor, { rows }: Matches) => `
  page AS MATERIALIZED (
    SELECT 0 AS skip, list, iif(blocks = ${blocks}, list ->> '$[#-1]', NULL) AS more
    FROM (
      SELECT count(*) AS blocks, '[' || group_concat(${ordinals}) || ']' AS list
      FROM (
        SELECT block, ${bitmapAfter(ordinal)}
        FROM (
          ${rows('(SELECT term FROM driver)', `bitmaps.block >= ${Math.floor(ordinal / 496)}`)}
          LIMIT ${blocks}
        )
      )
    )
  )`

/**
 * Returns SQL for the number of records in the blocks from `start` on, or in that many of them;
 * `of` is the table with the `term`.
 */
const countIn = (rows: Matches['rows'], of: string, start: string, blocks?: string) => `(
  SELECT coalesce(sum(count), 0)
  FROM (${rows(
    `${of}.term`,
    `bitmaps.block >= ${start}${blocks ? ` AND bitmaps.block < ${start} + ${blocks}` : ''}`,
  )})
)`

const isBeyond = 'start > last / 496'

/** Whether a row of 'seek' has the record at the offset. */
const hasRecord = (offset: number) => `width = 1 AND before + held > ${offset}`

/**
 * Returns SQL for 'seek'. Its last row has the block of the record at `offset`, or one beyond all.
 * It counts the records in a range of blocks at a time. A range has almost as many blocks as the
 * rest needs at the density so far, so that most ranges can be skipped, and at most a quarter of
 * all, so that little is read twice if one cannot; after that, an eighth of the range. With 496
 * records in each of 100 blocks and offset 6,000: blocks 0 to 10 have 5,456 and are skipped, 11 has
 * 496, and 12 has the record: start 12, before 5,952.
 */
function buildSeek(offset: number, rows: Matches['rows'], block: string): string {
  const toWidth = (of: string, blocks: string, max: string) => `CAST(max(1, min(
    ${max}, ${blocks} * (31 + 1.0 * ${of}.count / ${of}.last) / 32
  )) AS INTEGER)`
  const maxWidth = 'max(8, driver.last / 496 / 4)'
  const first = toWidth('driver', `${offset} * (driver.last / 496.0) / driver.count`, maxWidth)
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
