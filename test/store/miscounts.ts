import { env } from 'cloudflare:workers'

/** What the counts along an organisation's postings say wrong, or where a block does not end as it must. */
export async function miscounts(organisationId: string): Promise<unknown[]> {
  const { results } = await env.DB.prepare(
    `WITH spans AS (
      SELECT
        blocks.*,
        coalesce(lag(last) OVER (PARTITION BY term, level ORDER BY last), 0) AS after
      FROM blocks
    ),
    counted AS (
      SELECT term, level, last, count, (
        SELECT count(*) FROM postings WHERE term = spans.term AND row > after AND row <= last
      ) AS held
      FROM spans
      UNION ALL
      SELECT id, 0, 0, count, (SELECT count(*) FROM postings WHERE term = id) FROM terms
      UNION ALL
      SELECT id, 0, 1, loose, (
        SELECT count(*) FROM postings WHERE term = id AND row > (
          SELECT coalesce(max(last), 0) FROM blocks WHERE term = id
        )
      )
      FROM terms
    )
    SELECT field, level, last, counted.count, held
    FROM counted LEFT JOIN terms ON terms.id = term
    WHERE (organisation_id IS NULL OR organisation_id = ?) AND (
      counted.count <> held OR level = 2 AND NOT EXISTS (
        SELECT 1 FROM blocks WHERE blocks.term = counted.term AND level = 1 AND last = counted.last
      )
    )`,
  )
    .bind(organisationId)
    .all()
  return results
}
