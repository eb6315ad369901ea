import { type SQL, sql } from 'drizzle-orm'
import { isLong, type Matches, mostRowsRead, wholly } from './matches.ts'
import { type Page, type PageQuery, placeOf } from './page-query.ts'
import type { Scope } from './scope.ts'
import { changedBetween, type TimeRange } from './time-ranges.ts'
import { bitOf, ordinals } from './words.ts'

/** How many changes a page of a pull goes through at most: the next page goes on behind them. */
const pullWindow = 10_000

/**
 * A page of the records that last changed in a range of time, in the order of that change. What
 * changed in the organisation is gone through and each record looked for in the words of the filters;
 * or, where the filters find few, the other way round. Unless all are to be counted, that ends with the page.
 */
export function inOrderOfChange(
  scope: Scope,
  query: PageQuery,
  range: TimeRange,
  found: Matches,
  counted: boolean,
): Page {
  const place = placeOf(query)
  const { limit, offset, filters, created } = place ? { ...query, offset: 0 } : query
  const wanted = offset + limit
  const goesOn = query.pull !== undefined && offset === 0
  const ofOrganisation = sql`organisation_id = ${scope.organisationId}`
  // A pull goes on behind the version it has come to, so what changes meanwhile is met again.
  const between = changedBetween(scope, place ? { to: range.to } : range)
  const after = sql`max(after, ${whole(place?.ordinal ?? 0)})`
  const upto = sql`(SELECT upto FROM changed_between)`
  const isFound =
    filters.length > 0 || created
      ? sql`EXISTS (
          SELECT 1
          FROM (${sql.raw(found.rows('(SELECT term FROM driver)', 'words.block = records.position / 496'))})
          WHERE ${sql.raw(bitOf('records.position'))}
        )`
      : sql`true`
  // Each takes two rows, one for each filter, and one for each of its values where these are compared whole.
  const each = 2 + filters.length + (filters.some(({ values }) => values.some(isLong)) ? 20 : 0)
  const most = Math.floor(mostRowsRead / each)
  const window = goesOn ? Math.min(pullWindow, most) : most
  const changes = (columns: SQL) => sql`SELECT ${columns} FROM records
    WHERE ${ofOrganisation} AND version > (SELECT after FROM way) AND version <= ${upto}
    ORDER BY version`
  const windowed = sql`(${changes(sql`row, version, collection, position`)} LIMIT ${whole(window + 1)}) AS records`
  const passes = sql`collection = ${scope.collection} AND ${isFound} AND ${wholly(filters)}`
  const end = counted ? sql`` : sql`LIMIT ${whole(wanted)}`
  // The last change of the window, if there is one: more may follow.
  const edge = sql`(${changes(sql`version`)} LIMIT 1 OFFSET ${whole(window)})`
  const isShort = sql`count(*) < ${whole(wanted)}`
  const isBeyond = goesOn ? sql`false` : sql`${isShort} AND ${edge} IS NOT NULL`
  const tooMany = counted ? sql`count(*) > ${whole(most)}` : isBeyond
  return {
    with: sql`WITH RECURSIVE ${found.with}, ${between},
      way AS MATERIALIZED (
        SELECT iif(by_filters, upto, ${after}) AS after, iif(by_filters, term, NULL) AS term
        FROM (
          SELECT *, count <= ${whole(most)}
            AND ${counted ? sql`2 * count` : sql`count * count / ${whole(wanted)}`} <= upto - ${after} AS by_filters
          FROM changed_between CROSS JOIN (SELECT term, coalesce(count, 0) AS count FROM driver)
        )
      ),
      gone_through AS MATERIALIZED (
        SELECT * FROM (${
          // What is not found is counted, too, as it was gone through.
          counted
            ? sql`SELECT iif(${passes}, row, NULL) AS row, version FROM ${windowed}`
            : sql`SELECT row, version FROM ${windowed} WHERE ${passes} ${end}`
        })
        UNION ALL
        SELECT * FROM (
          SELECT records.row, records.version
          FROM (${sql.raw(found.rows('(SELECT term FROM way)', 'true'))})
          CROSS JOIN json_each('[' || ${sql.raw(ordinals)} || ']') AS ordinal
          CROSS JOIN records ON records.position = ordinal.value
            AND ${ofOrganisation} AND records.collection = ${scope.collection}
          WHERE version > (SELECT ${after} FROM changed_between) AND version <= ${upto} AND ${wholly(filters)}
          ORDER BY version ${end}
        )
      )`,
    total: sql`(SELECT count(row) FROM gone_through)`,
    place: sql`records.version`,
    next: sql`(SELECT iif(${isShort}, ${edge}, max(version)) FROM gone_through)`,
    cost: sql`(SELECT iif(${tooMany}, ${mostRowsRead} + 1, ${
      filters.length > 1 ? sql`coalesce((SELECT cost FROM driver), 0)` : sql`0`
    }) FROM gone_through)`,
    from: sql`FROM (
        SELECT row FROM gone_through WHERE row IS NOT NULL
        LIMIT ${whole(limit)} OFFSET ${whole(offset)}
      ) AS page CROSS JOIN records USING (row)`,
  }
}

/** A whole number as it stands: bound, it would come as REAL. */
const whole = (number: number) => sql.raw(String(number))
