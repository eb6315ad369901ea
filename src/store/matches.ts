import { type SQL, sql } from 'drizzle-orm'
import type { Filter } from './filter.ts'
import { indexedText } from './indexed.ts'

/** The rows of the records that pass every filter, in order of arrival, how many they are, and the WITH clause that both need. */
export type Matches = { rows: SQL; total: SQL; with?: SQL }

type Scope = { organisationId: string; collection: string }

/** SQL for `filters`, of which there is at least one, from the inverted index alone. */
export function matches(scope: Scope, filters: readonly Filter[]): Matches {
  const [only, ...others] = filters
  return only && others.length === 0 && !only.values.some(isLong)
    ? matchesOfOne(scope, only)
    : matchesOfAll(scope, filters)
}

/** A record's field has one type, so no record is in the postings of two of the filter's values. */
function matchesOfOne(scope: Scope, { field, values }: Filter): Matches {
  const term = (column: 'id' | 'count', value: Filter['values'][number]) =>
    sql`(SELECT ${sql.raw(column)} FROM terms WHERE organisation_id = ${scope.organisationId}
      AND collection = ${scope.collection} AND field = ${field} AND value = ${indexed(value)})`
  const rows = values.map(
    (value) => sql`SELECT row FROM postings WHERE term = ${term('id', value)}`,
  )
  const counts = values.map((value) => sql`coalesce(${term('count', value)}, 0)`)
  return {
    rows: sql`SELECT row FROM (${sql.join(rows, sql` UNION ALL `)}) ORDER BY row`,
    total: sql.join(counts, sql` + `),
  }
}

/** Walks the postings of the rarest filter and probes the others. A long text is compared whole. */
function matchesOfAll(scope: Scope, filters: readonly Filter[]): Matches {
  const wanted = JSON.stringify(
    filters.flatMap(({ field, values }, filter) =>
      values.map((value) => ({ filter, field, value })),
    ),
  )
  const clause = sql`
    WITH wanted AS MATERIALIZED (
      SELECT
        item.value ->> '$.filter' AS filter,
        terms.id AS term,
        terms.count,
        terms.field,
        CASE WHEN octet_length(item.value ->> '$.value') > 256 THEN item.value ->> '$.value' END AS long
      FROM json_each(${wanted}) AS item CROSS JOIN terms
      WHERE terms.organisation_id = ${scope.organisationId}
        AND terms.collection = ${scope.collection}
        AND terms.field = item.value ->> '$.field'
        AND terms.value = CASE json_type(item.value, '$.value')
          WHEN 'true' THEN x'01'
          WHEN 'false' THEN x'00'
          WHEN 'text' THEN ${indexedText(sql`item.value ->> '$.value'`)}
          ELSE item.value ->> '$.value' END
    ),
    rarest AS MATERIALIZED (
      SELECT filter FROM wanted
      WHERE (SELECT count(DISTINCT filter) FROM wanted) = ${filters.length}
      GROUP BY filter ORDER BY sum(count) LIMIT 1
    ),
    matched AS MATERIALIZED (
      SELECT candidate.row AS row
      FROM rarest CROSS JOIN wanted USING (filter)
      CROSS JOIN postings AS candidate ON candidate.term = wanted.term
      WHERE (
        SELECT count(DISTINCT probe.filter)
        FROM wanted AS probe CROSS JOIN postings AS posting
        WHERE posting.term = probe.term AND posting.row = candidate.row AND (
          probe.long IS NULL
          OR probe.long IN (
            SELECT atom FROM leaves WHERE row = candidate.row AND field = probe.field
          )
        )
      ) = ${filters.length}
    )`
  return {
    with: clause,
    rows: sql`SELECT row FROM matched ORDER BY row`,
    total: sql`(SELECT count(*) FROM matched)`,
  }
}

function indexed(value: Filter['values'][number]): SQL {
  if (typeof value === 'boolean') return value ? sql`x'01'` : sql`x'00'`
  return sql`${value}`
}

// Texts of up to 256 bytes are indexed whole; one of 86 characters may be that long.
const isLong = (value: Filter['values'][number]) => typeof value === 'string' && value.length > 85
