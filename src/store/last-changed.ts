import { sql } from 'drizzle-orm'
import { isLong, type Matches, mostRowsRead, wholly } from './matches.ts'
import { type Page, type PageQuery, placeOf } from './page-query.ts'
import type { Scope } from './scope.ts'
import { changedBetween, type TimeRange } from './time-ranges.ts'
import { bitOf, ordinals } from './words.ts'

/**
 * A page of the records that last changed in a range of time, in the order of that change. What
 * changed in the organisation is gone through and each record looked for in the words of the filters;
 * or, where the filters find fewer, the other way round.
 */
export function inOrderOfChange(
  scope: Scope,
  query: PageQuery,
  range: TimeRange,
  found: Matches,
): Page {
  const place = placeOf(query)
  const { limit, offset, filters, created } = place ? { ...query, offset: 0 } : query
  // A pull goes on behind the version it has come to, so what changes meanwhile is met again.
  const after = sql`max(after, ${sql.raw(String(place?.ordinal ?? 0))})`
  const ofOrganisation = sql`organisation_id = ${scope.organisationId}`
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
  const most = sql.raw(String(Math.floor(mostRowsRead / each)))
  const upto = sql`(SELECT upto FROM changed_between)`
  return {
    with: sql`WITH RECURSIVE ${found.with}, ${changedBetween(scope, range)},
      way AS MATERIALIZED (
        SELECT iif(by_filters, upto, ${after}) AS after, iif(by_filters, term, NULL) AS term
        FROM (
          SELECT *, count <= min((upto - ${after}) / 2, ${most}) AS by_filters
          FROM changed_between CROSS JOIN driver
        )
      ),
      gone_through AS MATERIALIZED (
        SELECT iif(collection = ${scope.collection} AND ${isFound} AND ${wholly(filters)}, row, NULL) AS row, version
        FROM (
          SELECT row, version, collection, position FROM records
          WHERE ${ofOrganisation} AND version > (SELECT after FROM way) AND version <= ${upto}
          ORDER BY version LIMIT ${most} + 1
        ) AS records
        UNION ALL
        SELECT records.row, records.version
        FROM (${sql.raw(found.rows('(SELECT term FROM way)', 'true'))})
        CROSS JOIN json_each('[' || ${sql.raw(ordinals)} || ']') AS ordinal
        CROSS JOIN records ON records.position = ordinal.value
          AND ${ofOrganisation} AND records.collection = ${scope.collection}
        WHERE version > (SELECT ${after} FROM changed_between) AND version <= ${upto} AND ${wholly(filters)}
        ORDER BY version
      ),
      counted AS MATERIALIZED (SELECT count(row) AS total, count(*) AS changes FROM gone_through)`,
    total: sql`(SELECT total FROM counted)`,
    place: sql`records.version`,
    next: sql`(
      SELECT version FROM gone_through WHERE row IS NOT NULL
      LIMIT 1 OFFSET ${sql.raw(String(offset + limit - 1))}
    )`,
    cost: sql`(SELECT iif(changes > ${most}, ${mostRowsRead} + 1, ${
      filters.length > 1 ? sql`coalesce((SELECT cost FROM driver), 0)` : sql`0`
    }) FROM counted)`,
    from: sql`FROM (
        SELECT row FROM gone_through WHERE row IS NOT NULL
        LIMIT ${sql.raw(String(limit))} OFFSET ${sql.raw(String(offset))}
      ) AS page CROSS JOIN records USING (row)`,
  }
}
