import { type SQL, sql } from 'drizzle-orm'
import type { Filter } from '../model/filter.ts'
import { inOrderOfChange } from './last-changed.ts'
import { isLong, type Matches, matches, mostRowsRead, wholly } from './matches.ts'
import type { Scope } from './scope.ts'
import type { TimeRange } from './time-ranges.ts'
import { ordinals, places } from './words.ts'

/** What to read of a collection: one page of the records that pass the filters. */
export type PageQuery = {
  limit: number
  offset: number
  filters: readonly Filter[]
  /** Only records that were created, or last changed, in this range; with the latter, in the order of that change. */
  created?: TimeRange | undefined
  changed?: TimeRange | undefined
  /** Whether to show when each record was created and changed, and its version. */
  times?: boolean
}

/** SQL for a page of a collection: what a SELECT takes it `from` in its order, how many records pass the filters, the rows it would take at most, and the WITH clause that all need. */
export type Page = { from: SQL; total: SQL; cost: SQL | undefined; with: SQL }

/** A page of the records that pass every filter, found by the words of bits alone. */
export function recordsOf(scope: Scope, query: PageQuery): Page {
  const { filters } = query
  const found = matches(scope, filters, query.created)
  const long = filters.filter(({ values }) => values.some(isLong))
  if (query.changed) return inOrderOfChange(scope, query, query.changed, found)
  if (long.length > 0) return comparedWhole(scope, query, found, long)
  return {
    with: sql`WITH RECURSIVE ${found.with}, ${pageOf(query, found)}`,
    total: found.total,
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
function pageOf({ limit, offset }: PageQuery, { rows, first }: Matches): SQL {
  // Numbers that are bound come as REAL, which LIMIT and JSON's places do not take.
  const [most, place] = [limit, offset].map((number) => sql.raw(String(number)))
  const from = offset === 0 ? sql`driver WHERE count > 0` : sql`seek WHERE width = 0`
  const [start, before] = offset === 0 ? [first, sql`0`] : [sql`start`, sql`before`]
  return sql`${offset === 0 ? sql`` : sql`${seek(offset, rows, first)},`}
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
function seek(offset: number, rows: Matches['rows'], first: SQL): SQL {
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
    SELECT term, ${first}, ${firstWidth}, 0, ${held(rows, sql`driver`, first, firstWidth)}, last, count
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
  { limit, offset }: PageQuery,
  found: Matches,
  long: readonly Filter[],
): Page {
  const inCollection = sql`organisation_id = ${scope.organisationId} AND collection = ${scope.collection}`
  // A document is read whole, and a row for each of its values.
  const cost = sql`(SELECT 20 * count FROM driver)`
  return {
    with: sql`WITH RECURSIVE ${found.with},
      matched AS MATERIALIZED (
        SELECT records.position
        FROM (${found.rows(sql`(SELECT term FROM driver)`, sql`${cost} <= ${mostRowsRead}`)})
        CROSS JOIN json_each('[' || ${ordinals} || ']') AS ordinal
        CROSS JOIN records ON records.position = ordinal.value
          AND ${inCollection}
        WHERE ${wholly(long)}
      )`,
    total: sql`(SELECT count(*) FROM matched)`,
    cost,
    from: sql`FROM (SELECT position FROM matched ORDER BY position LIMIT ${limit} OFFSET ${offset})
      AS matched CROSS JOIN records USING (position)
      WHERE ${inCollection} ORDER BY position`,
  }
}
