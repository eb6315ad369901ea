import { type SQL, sql } from 'drizzle-orm'
import type { Filter } from '../model/filter.ts'
import { indexedText } from './indexed.ts'
import type { Scope } from './scope.ts'

/** One page of the records that pass every filter, as their rows in order of arrival, how many pass, and the WITH clause that both need. */
export type Matches = { rows: SQL; total: SQL; with: SQL }

/** `counted` tells whether the total is read as well. */
type Page = { limit: number; offset: number; counted: boolean }

/** SQL for `filters`, of which there is at least one, from the inverted index alone. */
export function matches(scope: Scope, filters: readonly Filter[], page: Page): Matches {
  const [only, ...others] = filters
  return only && others.length === 0 && !only.or && !only.values.some(isLong)
    ? matchesOfOne(scope, only, page)
    : matchesOfAll(scope, filters, page)
}

/** Begins at the page's first record, found by the counts of its term's blocks, and walks no postings before its block. */
function matchesOfOne(scope: Scope, { field, values }: Filter, page: Page): Matches {
  const terms = (value: SQL) =>
    sql`terms WHERE organisation_id = ${scope.organisationId}
      AND collection = ${scope.collection} AND field = ${field} AND value IN (${value})`
  const indexedValues = values.map(indexed)
  // A record's field has one type, so no record is in the postings of two of the values.
  const rows = indexedValues.map(
    (value) => sql`SELECT row FROM postings WHERE term = (SELECT id FROM ${terms(value)})
      AND row > (SELECT row FROM start)`,
  )
  const all = sql.join(indexedValues, sql`, `)
  return {
    with: sql`
      WITH RECURSIVE
      -- A field that holds a number here and the text of it there has two terms: they are walked.
      seek (term, level, row, before) AS (
        SELECT iif(count(*) = 1, min(id), NULL), 2, 0, ${page.offset} FROM ${terms(all)}
        UNION ALL
        SELECT
          seek.term,
          seek.level - (block.count IS NULL),
          coalesce(block.last, seek.row),
          seek.before - coalesce(block.count, 0)
        FROM seek LEFT JOIN blocks AS block
          ON block.term = seek.term AND block.level = seek.level AND block.last = (
            SELECT min(last) FROM blocks
            WHERE term = seek.term AND level = seek.level AND last > seek.row
          ) AND block.count <= seek.before
        WHERE seek.level > 0
      ),
      start AS ${
        page.offset === 0
          ? sql`(SELECT 0 AS row, 0 AS before)`
          : sql`MATERIALIZED (SELECT row, before FROM seek WHERE level = 0)`
      }`,
    rows: sql`SELECT row FROM (${sql.join(rows, sql` UNION ALL `)})
      ORDER BY row LIMIT ${page.limit} OFFSET (SELECT before FROM start)`,
    total: sql`(SELECT coalesce(sum(count), 0) FROM ${terms(all)})`,
  }
}

/** Walks the postings of the rarest filter and probes the others. A long text is compared whole. */
function matchesOfAll(scope: Scope, filters: readonly Filter[], page: Page): Matches {
  const wanted = JSON.stringify(
    filters.flatMap(({ field, values, or }, filter) => [
      ...values.map((value) => ({ filter, field, value })),
      ...(or ? [{ filter, field: or.field, value: or.text }] : []),
    ]),
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
      SELECT filter, max(long) AS long FROM wanted
      WHERE (SELECT count(DISTINCT filter) FROM wanted) = ${filters.length}
      GROUP BY filter ORDER BY sum(count) LIMIT 1
    ),
    -- Two values, two terms at most: a text, and what it spells. Their postings are merged in order,
    -- so that without a total the walk ends with the page.
    candidates AS MATERIALIZED (SELECT term FROM wanted CROSS JOIN rarest USING (filter)),
    matched AS ${page.counted ? sql`MATERIALIZED` : sql``} (
      SELECT row
      FROM (
        SELECT row FROM postings WHERE term = (SELECT term FROM candidates)
        UNION
        SELECT row FROM postings WHERE term = (SELECT term FROM candidates LIMIT 1 OFFSET 1)
        ORDER BY row
      ) AS candidate
      WHERE ${sql.join(
        filters.map((_, filter) => passes(filter)),
        sql` AND `,
      )}
    )`
  return {
    with: clause,
    rows: sql`SELECT row FROM matched ORDER BY row LIMIT ${page.limit} OFFSET ${page.offset}`,
    total: sql`(SELECT count(*) FROM matched)`,
  }
}

/** Whether a candidate passes a filter: that it was found by, or one of whose terms it has. */
const passes = (filter: number): SQL => sql`(
  EXISTS (SELECT 1 FROM rarest WHERE filter = ${filter} AND long IS NULL)
  OR EXISTS (
    SELECT 1 FROM wanted AS probe CROSS JOIN postings AS posting
    WHERE probe.filter = ${filter} AND posting.term = probe.term AND posting.row = candidate.row
      AND (probe.long IS NULL OR probe.long IN (
        SELECT atom FROM leaves WHERE row = candidate.row AND field = probe.field
      ))
  ))`

function indexed(value: Filter['values'][number]): SQL {
  if (typeof value === 'boolean') return value ? sql`x'01'` : sql`x'00'`
  return sql`${value}`
}

// Texts of up to 256 bytes are indexed whole; one of 86 characters may be that long.
const isLong = (value: Filter['values'][number]) => typeof value === 'string' && value.length > 85
