import { sql } from 'drizzle-orm'
import type { Filter } from '../../model/filter.ts'
import type { Scope } from '../statement.ts'
import { bitmapAfter, ordinals, recordCount, rowsUpTo } from './bits.ts'
import { pageByLastChange } from './by-last-change.ts'
import { comparesWhole, isLong, type Matches, matches, maxRowsRead } from './matches.ts'
import { cursorOf, type ExportCursor, type Page, type PageQuery } from './page-query.ts'

/**
 * Returns a page of the records that pass every filter, found from the bitmaps alone. Without
 * `counted` it skips the reads that only the total needs.
 */
export function buildPage(scope: Scope, query: PageQuery, counted: boolean): Page {
  const { filters } = query
  if (isFirstOfAll(query)) return firstPage(scope, query)
  const found = matches(scope, filters, query.created)
  if (query.changed) return pageByLastChange(scope, query, query.changed, found, counted)
  const long = filters.filter(({ values }) => values.some(isLong))
  if (long.length > 0) return comparedWhole(scope, query, found, long)
  const several = filters.length > 1
  const place = cursorOf(query)
  const list = place
    ? pageAfter(place, found)
    : `${firstOf(query, found, several)}, ${pageOf(query, found)}`
  const last = `list ->> (skip + ${query.limit - 1})`
  return {
    with: sql`WITH RECURSIVE ${found.with}, ${sql.raw(list)}`,
    // The total starts from the count up to the page.
    total:
      several && query.offset > 0 && !place
        ? sql`coalesce(
            (SELECT before + ${sql.raw(held(found.rows, 'first', 'first.start'))} FROM first),
            ${found.total}
          )`
        : found.total,
    place: sql`records.ordinal`,
    next: sql.raw(`(SELECT ${place ? `coalesce(${last}, more)` : last} FROM page)`),
    cost: found.cost === undefined ? undefined : sql.raw(found.cost),
    // VALUES comes first and in order, and so do the records: CROSS JOIN keeps it outermost.
    from: sql`FROM ${sql.raw(rowsUpTo(query.limit))} AS place CROSS JOIN records
      ON organisation_id = ${scope.organisationId} AND collection = ${scope.collection}
      AND ordinal = (SELECT list FROM page) ->> (place.column1 + (SELECT skip FROM page))`,
  }
}

const isFirstOfAll = ({ filters, offset, created, changed, pull }: PageQuery) =>
  filters.length === 0 && offset === 0 && !created && !changed && !pull

/**
 * The first page needs no bitmaps even if ordinals are missing, and the shorter statement takes D1
 * half the time. SQLite would plan again at every request if the limit were bound.
 */
const firstPage = (scope: Scope, { limit }: PageQuery): Page => ({
  with: sql``,
  total: recordCount(scope),
  place: sql`records.ordinal`,
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
function firstOf({ offset }: PageQuery, { rows, first }: Matches, several: boolean): string {
  if (offset === 0) {
    return `first AS (
      SELECT term, ${first} AS start, 0 AS before, 0 AS held, last, count FROM driver WHERE count > 0
    )`
  }
  return `${seek(offset, rows, first)},
    first AS ${several ? 'MATERIALIZED' : ''} (
      SELECT term, start, before, held, last, count FROM seek WHERE ${isFound(offset)} OR ${isBeyond}
    )`
}

/**
 * Returns SQL for `page`: a `list` of ordinals as JSON, and how many of them to `skip`. They come
 * from the first block if the rest of it has the whole page; otherwise from the estimated number of
 * blocks if that is small and sufficient; otherwise from as many blocks as the page has records,
 * because no block is empty.
 */
function pageOf({ limit, offset }: PageQuery, { rows }: Matches): string {
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
        ${offset === 0 ? `WHEN ${held(rows, 'likely', 'likely.start', '1')} >= ${limit} THEN start + 1` : ''}
        WHEN ${held(rows, 'likely', 'likely.start', 'blocks')} >= ${limit} + skip
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
const pageAfter = ({ ordinal, blocks }: ExportCursor, { rows }: Matches) => `
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
const held = (rows: Matches['rows'], of: string, start: string, blocks?: string) => `(
  SELECT coalesce(sum(count), 0)
  FROM (${rows(
    `${of}.term`,
    `bitmaps.block >= ${start}${blocks ? ` AND bitmaps.block < ${start} + ${blocks}` : ''}`,
  )})
)`

const isBeyond = 'start > last / 496'

/** Whether a row of 'seek' has the wanted record. */
const isFound = (place: number) => `width = 1 AND before + held > ${place}`

/**
 * Returns SQL for 'seek'. Its last row has the block of the record at `place`, or one beyond all.
 * It counts the records in a range of blocks at a time. A range has almost as many blocks as the
 * rest needs at the density so far, so that most ranges can be skipped, and at most a quarter of
 * all, so that little is read twice if one cannot; after that, an eighth of the range. With 496
 * records in each of 100 blocks and offset 6,000: blocks 0 to 10 have 5,456 and are skipped, 11 has
 * 496, and 12 has the record: start 12, before 5,952.
 */
function seek(place: number, rows: Matches['rows'], block: string): string {
  const whole = (of: string, blocks: string, most: string) => `CAST(max(1, min(
    ${most}, ${blocks} * (31 + 1.0 * ${of}.count / ${of}.last) / 32
  )) AS INTEGER)`
  const most = 'max(8, driver.last / 496 / 4)'
  const first = whole('driver', `${place} * (driver.last / 496.0) / driver.count`, most)
  const past = `seek.before + seek.held <= ${place}`
  const start = `(seek.start + iif(${past}, seek.width, 0))`
  const left = `(${place} - seek.before - seek.held)`
  const further = `iif(seek.held > 0, ${left} * 1.0 * seek.width / seek.held, 2 * seek.width)`
  const eighth = 'max(1, seek.width / 8)'
  const width = `iif(${past}, ${whole('seek', further, 'seek.most')}, ${eighth})`
  return `seek (term, start, width, most, before, held, last, count) AS (
    SELECT term, ${block}, ${first}, ${most}, 0, ${held(rows, 'driver', block, first)}, last, count
    FROM driver WHERE count > ${place}
    UNION ALL
    SELECT
      term, ${start}, ${width}, iif(${past}, most, ${eighth}), before + iif(${past}, held, 0),
      ${held(rows, 'seek', start, width)}, last, count
    FROM seek WHERE NOT (${isFound(place)}) AND NOT (${isBeyond})
  )`
}

/**
 * Returns a page for filters with texts that are longer than in the index: it compares the complete
 * text of each candidate.
 */
function comparedWhole(
  scope: Scope,
  query: PageQuery,
  found: Matches,
  long: readonly Filter[],
): Page {
  const place = cursorOf(query)
  const { limit, offset } = place ? { ...query, offset: 0 } : query
  const after = place?.ordinal ?? -1
  const block = Math.max(0, Math.floor(after / 496))
  const inCollection = sql`organisation_id = ${scope.organisationId} AND collection = ${scope.collection}`
  // Each record takes its block, its bit, its row, and three sorted passes for the total, the page
  // and the next cursor.
  const each = found.rowsInBlock + 9
  const cost = `(SELECT max(1000 + ${each} * count, ${found.cost ?? '0'}) FROM driver)`
  return {
    with: sql`WITH RECURSIVE ${found.with},
      matched AS MATERIALIZED (
        SELECT records.ordinal
        FROM (${sql.raw(found.rows('(SELECT term FROM driver)', `${cost} <= ${maxRowsRead} AND bitmaps.block >= ${block}`))})
        CROSS JOIN json_each('[' || ${sql.raw(ordinals)} || ']') AS item
        CROSS JOIN records ON records.ordinal = item.value AND ${inCollection}
        WHERE records.ordinal > ${sql.raw(String(after))} AND ${comparesWhole(long)}
        ${place ? sql`LIMIT ${limit}` : sql``}
      )`,
    total: sql`(SELECT count(*) FROM matched)`,
    place: sql`records.ordinal`,
    next: sql`(SELECT ordinal FROM matched ORDER BY ordinal LIMIT 1 OFFSET ${offset + limit - 1})`,
    cost: sql.raw(cost),
    from: sql`FROM (SELECT ordinal FROM matched ORDER BY ordinal LIMIT ${limit} OFFSET ${offset})
      AS matched CROSS JOIN records USING (ordinal)
      WHERE ${inCollection} ORDER BY ordinal`,
  }
}
