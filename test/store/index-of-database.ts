import { expect } from 'vitest'
import { findWrongCounts } from './index-counts.ts'

/** The rows of a query with these parameters. */
export async function queryRows(db: D1Database, sql: string, ...values: unknown[]) {
  const { results } = await db
    .prepare(sql)
    .bind(...values)
    .all()
  return results
}

/** The index of an organisation as record ids with fields and values. */
export const readIndex = (db: D1Database, organisationId: string) =>
  queryRows(
    db,
    `SELECT records.id, field, hex(value) AS value, typeof(value) AS type
    FROM terms CROSS JOIN term_ordinals ON term_ordinals.term_id = terms.id
    LEFT JOIN records USING (organisation_id, collection, ordinal)
    WHERE terms.organisation_id = ? AND field <> '' ORDER BY 1, 2, 3, 4`,
    organisationId,
  )

/** Returns the expected entries, from the stored documents and their authors. */
const readExpectedIndex = (db: D1Database, organisationId: string) =>
  queryRows(
    db,
    `SELECT DISTINCT records.id, field, hex(value) AS value, typeof(value) AS type
    FROM leaves CROSS JOIN records USING (row)
    WHERE leaves.organisation_id = ?1
    UNION ALL
    SELECT id, '$madeHere', '01', 'blob'
    FROM (SELECT *, coalesce(created_by -> '$.origin', created_by) AS origin FROM records)
    WHERE organisation_id = ?1 AND collection = 'bookings' AND CASE origin ->> '$.by'
      WHEN 'public page' THEN true
      ELSE origin ->> '$.through' IS 'dashboard' AND origin ->> '$.import' IS NULL END
    ORDER BY 1, 2, 3, 4`,
    organisationId,
  )

/** Expects the index to match the documents, exact counts, and records in order of arrival. */
export async function expectExactIndex(db: D1Database, organisationId: string) {
  expect(await readIndex(db, organisationId)).toEqual(await readExpectedIndex(db, organisationId))
  expect(await findWrongCounts(db, organisationId)).toEqual([])
  const misplaced = await queryRows(
    db,
    `SELECT * FROM (
      SELECT
        collection, id, ordinal,
        lag(ordinal, 1, 0) OVER (PARTITION BY collection ORDER BY row) AS before
      FROM records WHERE organisation_id = ?
    ) WHERE ordinal <= before`,
    organisationId,
  )
  expect(misplaced).toEqual([])
}
