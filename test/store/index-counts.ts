/** Finds wrong counts in an organisation's index, terms without records, and bitmaps without a term. */
export async function findWrongCounts(db: D1Database, organisationId: string): Promise<unknown[]> {
  const { results } = await db
    .prepare(
      `WITH own AS MATERIALIZED (SELECT * FROM terms WHERE organisation_id = ?1),
    bits AS MATERIALIZED (
      SELECT term_id, ordinal / 496 AS block, count(*) AS held
      FROM own CROSS JOIN term_ordinals ON term_ordinals.term_id = own.id GROUP BY 1, 2
    ),
    kept AS MATERIALIZED (
      SELECT collection, count(*) AS records, max(ordinal) AS last
      FROM records WHERE organisation_id = ?1 GROUP BY 1
    )
    SELECT 'bitmaps' AS of, bitmaps.term_id, bitmaps.block, bitmaps.count, held
    FROM own CROSS JOIN bitmaps ON bitmaps.term_id = own.id LEFT JOIN bits USING (term_id, block)
    WHERE bitmaps.count IS NOT held
    UNION ALL
    SELECT 'term', id, NULL, count, (SELECT sum(held) FROM bits WHERE term_id = id) FROM own
    WHERE count <> coalesce((SELECT sum(held) FROM bits WHERE term_id = id), 0)
    UNION ALL
    SELECT 'value that is gone', id, NULL, count, NULL FROM own WHERE count < 1 AND field <> ''
    UNION ALL
    SELECT 'collection', id, whole.last, count, records
    FROM (SELECT * FROM own WHERE field = '' AND value = x'') AS whole
    FULL JOIN kept USING (collection)
    WHERE count IS NOT coalesce(records, 0) OR whole.last < coalesce(kept.last, 1)
    UNION ALL
    SELECT 'no term', term_id, block, count, NULL FROM bitmaps WHERE term_id NOT IN (SELECT id FROM terms)`,
    )
    .bind(organisationId)
    .all()
  return results
}
