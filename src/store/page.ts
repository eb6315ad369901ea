import { type SQL, sql } from 'drizzle-orm'
import type { Filter } from './filter.ts'
import { isLong, type Matches, matches, mostRowsRead } from './matches.ts'
import type { Scope } from './scope.ts'
import { ordinals, places } from './words.ts'

/** What to read of a collection: one page of the records that pass the filters. */
export type PageQuery = { limit: number; offset: number; filters: readonly Filter[] }

/** SQL for a page of a collection: what a SELECT takes it `from` in order of arrival, how many records pass the filters, the rows it would take at most, and the WITH clause that all need. */
export type Page = { from: SQL; total: SQL; cost: SQL | undefined; with: SQL }

/** A page of the records that pass every filter, found by the words of bits alone. */
export function recordsOf(scope: Scope, query: PageQuery): Page {
  const { filters } = query
  const found = matches(scope, filters)
  const long = filters.filter(({ values }) => values.some(isLong))
  if (long.length > 0) return comparedWhole(scope, query, found, long)
  const several = filters.length > 1
  return {
    with: sql`WITH RECURSIVE ${found.with}, ${firstOf(query, found, several)}, ${pageOf(query, found)}`,
    // What was counted on the way to the page is not counted again.
    total:
      several && query.offset > 0
        ? sql`coalesce(
            (SELECT before + ${held(found.rows, sql`first`, sql`first.start`)} FROM first), ${found.total}
          )`
        : found.total,
    cost: several ? sql`(SELECT cost FROM driver)` : undefined,
    // VALUES comes first and in order, and so do the records: CROSS JOIN keeps it outermost.
    from: sql`FROM ${places(query.limit)} AS place CROSS JOIN records
      ON organisation_id = ${scope.organisationId} AND collection = ${scope.collection}
      AND position = (SELECT list FROM page) ->> (place.column1 + (SELECT skip FROM page))`,
  }
}

/**
 * SQL for `first`: the block of the record at the offset, its `start`, how many records come `before`
 * it, and how many it has (`held`; 0 of the very first, which was not counted). Beyond the last record
 * the start is beyond the last block, or there is no row.
 */
function firstOf({ offset }: PageQuery, { rows }: Matches, several: boolean): SQL {
  if (offset === 0) {
    return sql`first AS (
      SELECT term, 0 AS start, 0 AS before, 0 AS held, last, count FROM driver WHERE count > 0
    )`
  }
  const place = sql.raw(String(offset))
  return sql`${seek(place, rows)},
    first AS ${several ? sql`MATERIALIZED` : sql``} (
      SELECT term, start, before, held, last, count FROM seek WHERE ${found(place)} OR ${isBeyond}
    )`
}

/**
 * SQL for `page`: a `list` of ordinals as JSON, and how many to `skip` of them. They are of the blocks
 * from the first on: that alone where the rest of it holds the page, as many as the page likely lies in
 * where these are few and indeed hold it, otherwise as many as it has records, as no block is empty.
 */
function pageOf({ limit, offset }: PageQuery, { rows }: Matches): SQL {
  // Numbers that are bound come as REAL, which LIMIT and JSON's places do not take.
  const [most, place] = [sql.raw(String(limit)), sql.raw(String(offset))]
  return sql`
    likely AS (
      SELECT
        term, start, ${place} - before AS skip, before + held - ${place} AS rest,
        2 + 2 * ${most} * last / (496 * count) AS blocks
      FROM first ${offset === 0 ? sql`` : sql`WHERE NOT (${isBeyond})`} LIMIT 1
    ),
    bounds AS (
      SELECT term, start, skip, CASE
        WHEN rest >= ${most} THEN start + 1
        WHEN 2 * blocks <= ${most}
          AND ${held(rows, sql`likely`, sql`likely.start`, sql`blocks`)} >= ${most} + skip
          THEN start + blocks
        ELSE ${sql.raw(String(Number.MAX_SAFE_INTEGER))} END AS beyond
      FROM likely
    ),
    page AS MATERIALIZED (
      SELECT skip, '[' || group_concat(${ordinals}) || ']' AS list
      FROM (
        ${rows(sql`bounds.term`, sql`words.block >= bounds.start AND words.block < bounds.beyond`, {
          table: sql`bounds`,
          selected: sql`bounds.skip`,
        })}
        LIMIT ${most} + ${offset === 0 ? sql`0` : sql`1`}
      )
    )`
}

/** SQL for how many records are held by the blocks from `start` on, or by so many of them; `of` is the table that has the `term`. */
const held = (rows: Matches['rows'], of: SQL, start: SQL, blocks?: SQL) => sql`(
  SELECT coalesce(sum(count), 0)
  FROM (${rows(
    sql`${of}.term`,
    sql`words.block >= ${start}${blocks ? sql` AND words.block < ${start} + ${blocks}` : sql``}`,
  )})
)`

const isBeyond = sql`start > last / 496`

/** Whether a row of `seek` is the one that was sought. */
const found = (place: SQL) => sql`width = 1 AND before + held > ${place}`

/**
 * SQL for `seek`, the last row of which tells the block of the record at `place`, or one beyond all. It
 * counts the records in a range of blocks at a time: almost as many blocks as it will take if the records
 * lie evenly, so that most ranges can be gone past, and a quarter of all at most, so that little is
 * read twice where one can not.
 *
 * With 496 records in each of 100 blocks and offset 6,000: blocks 0 to 10 hold 5,456 and are gone past,
 * 11 holds 496, and 12 the record: start 12, before 5,952.
 */
function seek(place: SQL, rows: Matches['rows']): SQL {
  const likely = (from: SQL, before: SQL) => sql`max(1, min(
    max(8, ${from}.last / 496 / 4), (${place} - ${before}) * (${from}.last / 496.0) / ${from}.count
      * (31 + 1.0 * ${from}.count / ${from}.last) / 32
  ))`
  const past = sql`seek.before + seek.held <= ${place}`
  const start = sql`(seek.start + iif(${past}, seek.width, 0))`
  const width = sql`CAST(CASE
    WHEN ${past} THEN ${likely(sql`seek`, sql`(seek.before + seek.held)`)}
    ELSE max(1, seek.width / 8) END AS INTEGER)`
  const firstWidth = sql`CAST(${likely(sql`driver`, sql`0`)} AS INTEGER)`
  return sql`seek (term, start, width, before, held, last, count) AS (
    SELECT term, 0, ${firstWidth}, 0, ${held(rows, sql`driver`, sql`0`, firstWidth)}, last, count
    FROM driver WHERE count > ${place}
    UNION ALL
    SELECT
      term, ${start}, ${width}, before + iif(${past}, held, 0), ${held(rows, sql`seek`, start, width)},
      last, count
    FROM seek WHERE NOT (${found(place)}) AND NOT (${isBeyond})
  )`
}

/** A page where a filter's text is longer than the index holds: what is found is compared whole. */
function comparedWhole(
  scope: Scope,
  { limit, offset }: PageQuery,
  found: Matches,
  long: readonly Filter[],
): Page {
  const inCollection = sql`organisation_id = ${scope.organisationId} AND collection = ${scope.collection}`
  const compared = long.map(
    ({ field, values }) => sql`EXISTS (
      SELECT 1 FROM leaves WHERE leaves.row = records.row AND leaves.field = ${field}
        AND leaves.atom IN (${sql.join(
          values.map((value) => sql`${value}`),
          sql`, `,
        )})
    )`,
  )
  // A document is read whole, and a row for each of its values.
  const cost = sql`(SELECT 20 * count FROM driver)`
  return {
    with: sql`WITH ${found.with},
      matched AS MATERIALIZED (
        SELECT records.position
        FROM (${found.rows(sql`(SELECT term FROM driver)`, sql`${cost} <= ${mostRowsRead}`)})
        CROSS JOIN json_each('[' || ${ordinals} || ']') AS ordinal
        CROSS JOIN records ON records.position = ordinal.value
          AND ${inCollection}
        WHERE ${sql.join(compared, sql` AND `)}
      )`,
    total: sql`(SELECT count(*) FROM matched)`,
    cost,
    from: sql`FROM (SELECT position FROM matched ORDER BY position LIMIT ${limit} OFFSET ${offset})
      AS matched CROSS JOIN records USING (position)
      WHERE ${inCollection} ORDER BY position`,
  }
}
