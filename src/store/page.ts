import { type SQL, sql } from 'drizzle-orm'
import type { Filter } from '../model/filter.ts'
import { isLong, type Matches, matches, mostRowsRead } from './matches.ts'
import type { Place, Pull } from './pull.ts'
import type { Scope } from './scope.ts'
import { ordinals, places, wordsAfter } from './words.ts'

/** What to read of a collection: one page of the records that pass the filters, which may be one of a pull. */
export type PageQuery = {
  limit: number
  offset: number
  filters: readonly Filter[]
  pull?: Pull | undefined
}

/** SQL for a page of a collection: what a SELECT takes it `from` in order of arrival, how many records pass the filters, the ordinal of its last record unless the list ends there, the rows it would take at most, and the WITH clause that all need. */
export type Page = { from: SQL; total: SQL; next: SQL; cost: SQL | undefined; with: SQL }

/** A page of the records that pass every filter, found by the words of bits alone. */
export function recordsOf(scope: Scope, query: PageQuery): Page {
  const { filters } = query
  const found = matches(scope, filters)
  const long = filters.filter(({ values }) => values.some(isLong))
  if (long.length > 0) return comparedWhole(scope, query, found, long)
  const last = sql.raw(String(query.limit - 1))
  const place = placeOf(query)
  return {
    with: sql`WITH RECURSIVE ${found.with}, ${place ? pageAfter(place, found) : pageOf(query, found)}`,
    total: found.total,
    next: sql`(SELECT coalesce(list ->> (skip + ${last}), ${place ? sql`more` : sql`NULL`}) FROM page)`,
    cost: filters.length > 1 ? sql`(SELECT cost FROM driver)` : undefined,
    // VALUES comes first and in order, and so do the records: CROSS JOIN keeps it outermost.
    from: sql`FROM ${places(query.limit)} AS place CROSS JOIN records
      ON organisation_id = ${scope.organisationId} AND collection = ${scope.collection}
      AND position = (SELECT list FROM page) ->> (place.column1 + (SELECT skip FROM page))`,
  }
}

/**
 * SQL for `page`: a `list` of ordinals as JSON, and how many to `skip` of them. They are of the blocks
 * from the first record's on: as many as the page likely lies in where these are few and indeed hold
 * it, otherwise as many as it has records, as no block is empty.
 */
function pageOf({ limit, offset }: PageQuery, { rows }: Matches): SQL {
  // Numbers that are bound come as REAL, which LIMIT and JSON's places do not take.
  const [most, place] = [limit, offset].map((number) => sql.raw(String(number)))
  const from = offset === 0 ? sql`driver WHERE count > 0` : sql`seek WHERE width = 0`
  const [start, before] = offset === 0 ? [sql`0`, sql`0`] : [sql`start`, sql`before`]
  return sql`${offset === 0 ? sql`` : sql`${seek(offset, rows)},`}
    likely AS (
      SELECT term, ${start} AS start, ${place} - ${before} AS skip,
        2 + 2 * ${most} * last / (496 * count) AS blocks
      FROM ${from} LIMIT 1
    ),
    bounds AS MATERIALIZED (
      SELECT term, start, skip, iif(
        2 * blocks <= ${most} AND ${held(rows, sql`likely`, sql`likely.start`, sql`blocks`)} >= ${most} + skip,
        start + blocks, ${sql.raw(String(Number.MAX_SAFE_INTEGER))}
      ) AS beyond
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

/** SQL for `page` in a pull, after a place; `more` is its last ordinal where there may be blocks beyond. */
function pageAfter({ ordinal, blocks }: Place, { rows }: Matches): SQL {
  const [block, most] = [Math.floor(ordinal / 496), blocks].map((number) => sql.raw(String(number)))
  return sql`page AS MATERIALIZED (
    SELECT 0 AS skip, list, iif(blocks = ${most}, list ->> '$[#-1]', NULL) AS more
    FROM (
      SELECT count(*) AS blocks, '[' || group_concat(${ordinals}) || ']' AS list
      FROM (
        SELECT block, ${wordsAfter(ordinal)}
        FROM (
          ${rows(sql`(SELECT term FROM driver)`, sql`words.block >= ${block}`)}
          LIMIT ${most}
        )
      )
    )
  )`
}

const placeOf = ({ pull }: PageQuery) => (typeof pull === 'object' ? pull : undefined)

/** SQL for how many records are held by so many blocks; `of` is the table that has the `term`. */
const held = (rows: Matches['rows'], of: SQL, start: SQL, blocks: SQL) => sql`(
  SELECT coalesce(sum(count), 0)
  FROM (${rows(
    sql`${of}.term`,
    sql`words.block >= ${start} AND words.block < ${start} + ${blocks}`,
  )})
)`

/**
 * SQL for `seek`, whose row of width 0 tells the block of the record at `offset`, its `start`, and how
 * many records come `before` that block; there is none where `offset` is beyond the last record. It
 * counts the records in a range of blocks at a time: seven eighths of those it will take if the records
 * lie evenly, so that most ranges can be gone past, and an eighth of all at most, so that little is
 * read twice where one can not.
 *
 * With 496 records in each of 100 blocks and offset 6,000: 0–9 hold 4,960 and are gone past, 10 holds
 * 496, 11 as many, and 12 the record: start 12, before 5,952.
 */
function seek(offset: number, rows: Matches['rows']): SQL {
  const place = sql.raw(String(offset))
  const likely = (from: SQL, before: SQL) => sql`max(1, min(
    max(8, ${from}.last / 496 / 8), (${place} - ${before}) * (${from}.last / 496.0) / ${from}.count * 7 / 8
  ))`
  const past = sql`seek.before + seek.held <= ${place}`
  const start = sql`(seek.start + iif(${past}, seek.width, 0))`
  const width = sql`CAST(CASE
    WHEN ${past} THEN ${likely(sql`seek`, sql`(seek.before + seek.held)`)}
    WHEN seek.width > 1 THEN max(1, seek.width / 8)
    ELSE 0 END AS INTEGER)`
  const firstWidth = sql`CAST(${likely(sql`driver`, sql`0`)} AS INTEGER)`
  return sql`seek (term, start, width, before, held, last, count) AS (
    SELECT term, 0, ${firstWidth}, 0, ${held(rows, sql`driver`, sql`0`, firstWidth)}, last, count
    FROM driver WHERE count > ${place}
    UNION ALL
    SELECT
      term, ${start}, ${width}, before + iif(${past}, held, 0), ${held(rows, sql`seek`, start, width)},
      last, count
    FROM seek WHERE width > 0 AND start <= last / 496
  )`
}

/** A page where a filter's text is longer than the index holds: what is found is compared whole. */
function comparedWhole(
  scope: Scope,
  query: PageQuery,
  found: Matches,
  long: readonly Filter[],
): Page {
  const place = placeOf(query)
  const { limit, offset } = place ? { ...query, offset: 0 } : query
  const [after, block] = place ? [place.ordinal, Math.floor(place.ordinal / 496)] : [-1, 0]
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
        FROM (${found.rows(sql`(SELECT term FROM driver)`, sql`${cost} <= ${mostRowsRead} AND words.block >= ${block}`)})
        CROSS JOIN json_each('[' || ${ordinals} || ']') AS ordinal
        CROSS JOIN records ON records.position = ordinal.value
          AND ${inCollection}
        WHERE records.position > ${after} AND ${sql.join(compared, sql` AND `)}
        ${place ? sql`LIMIT ${limit}` : sql``}
      )`,
    total: sql`(SELECT count(*) FROM matched)`,
    next: sql`(SELECT position FROM matched ORDER BY position LIMIT 1 OFFSET ${offset + limit - 1})`,
    cost,
    from: sql`FROM (SELECT position FROM matched ORDER BY position LIMIT ${limit} OFFSET ${offset})
      AS matched CROSS JOIN records USING (position)
      WHERE ${inCollection} ORDER BY position`,
  }
}
