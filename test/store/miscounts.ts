/** What the counts along an organisation's postings say wrong, where a block does not end as it must, and blocks of no term. */
export async function miscounts(db: D1Database, organisationId: string): Promise<unknown[]> {
  const { results } = await db
    .prepare(
      `WITH own AS MATERIALIZED (SELECT * FROM terms WHERE organisation_id = ?),
    spans AS (
      SELECT
        blocks.*,
        coalesce(lag(last) OVER (PARTITION BY term, level ORDER BY last), 0) AS after
      FROM own CROSS JOIN blocks ON blocks.term = own.id
    ),
    counted AS (
      SELECT term, level, last, count, (
        SELECT count(*) FROM postings WHERE term = spans.term AND row > after AND row <= last
      ) AS held
      FROM spans
      UNION ALL
      SELECT id, 0, 0, count, (SELECT count(*) FROM postings WHERE term = own.id) FROM own
      UNION ALL
      SELECT id, 0, 1, loose, (
        SELECT count(*) FROM postings WHERE term = own.id AND row > (
          SELECT coalesce(max(last), 0) FROM blocks WHERE term = own.id
        )
      )
      FROM own
    )
    SELECT term, level, last, count, held FROM counted
    WHERE count <> held OR level = 2 AND NOT EXISTS (
      SELECT 1 FROM blocks WHERE blocks.term = counted.term AND level = 1 AND last = counted.last
    )
    UNION ALL
    SELECT term, level, last, count, NULL FROM blocks WHERE term NOT IN (SELECT id FROM terms)`,
    )
    .bind(organisationId)
    .all()
  return results
}
