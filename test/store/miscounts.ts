/** What the counts of an organisation's index say wrong, values that no record holds, and words of no term. */
export async function miscounts(db: D1Database, organisationId: string): Promise<unknown[]> {
  const { results } = await db
    .prepare(
      `WITH own AS MATERIALIZED (SELECT * FROM terms WHERE organisation_id = ?1),
    bits AS MATERIALIZED (
      SELECT holders.term, position / 496 AS block, count(*) AS held
      FROM own CROSS JOIN holders ON holders.term = own.id GROUP BY 1, 2
    ),
    kept AS MATERIALIZED (
      SELECT collection, count(*) AS records, max(position) AS last
      FROM records WHERE organisation_id = ?1 GROUP BY 1
    )
    SELECT 'words' AS of, words.term, words.block, words.count, held
    FROM own CROSS JOIN words ON words.term = own.id LEFT JOIN bits USING (term, block)
    WHERE words.count IS NOT held
    UNION ALL
    SELECT 'term', id, NULL, count, (SELECT sum(held) FROM bits WHERE term = id) FROM own
    WHERE count <> coalesce((SELECT sum(held) FROM bits WHERE term = id), 0)
    UNION ALL
    SELECT 'value that is gone', id, NULL, count, NULL FROM own WHERE count < 1 AND field <> ''
    UNION ALL
    SELECT 'collection', id, whole.last, count, records
    FROM (SELECT * FROM own WHERE field = '' AND value = x'') AS whole
    FULL JOIN kept USING (collection)
    WHERE count IS NOT coalesce(records, 0) OR whole.last < coalesce(kept.last, 1)
    UNION ALL
    SELECT 'no term', term, block, count, NULL FROM words WHERE term NOT IN (SELECT id FROM terms)`,
    )
    .bind(organisationId)
    .all()
  return results
}
