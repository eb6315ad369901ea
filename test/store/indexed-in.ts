import { expect } from 'vitest'
import { miscounts } from './miscounts.ts'

/** The rows of a query of a database with these values. */
export async function rowsIn(db: D1Database, sql: string, ...values: unknown[]) {
  const { results } = await db
    .prepare(sql)
    .bind(...values)
    .all()
  return results
}

/** What the index of an organisation holds: each record's id with each field and value it is found by. */
export const indexedIn = (db: D1Database, organisationId: string) =>
  rowsIn(
    db,
    `SELECT records.id, field, hex(value) AS value, typeof(value) AS type
    FROM terms CROSS JOIN term_ordinals ON term_ordinals.term_id = terms.id
    LEFT JOIN records USING (organisation_id, collection, ordinal)
    WHERE terms.organisation_id = ? AND field <> '' ORDER BY 1, 2, 3, 4`,
    organisationId,
  )

/** Returns the expected entries, from the stored documents. */
const indexableIn = (db: D1Database, organisationId: string) =>
  rowsIn(
    db,
    `SELECT DISTINCT records.id, field, hex(value) AS value, typeof(value) AS type
    FROM leaves CROSS JOIN records USING (row)
    WHERE leaves.organisation_id = ? ORDER BY 1, 2, 3, 4`,
    organisationId,
  )

/** Expects the index of an organisation to agree with the documents, its counts to be exact, and the records of every collection to be in order of arrival. */
export async function expectIndexedIn(db: D1Database, organisationId: string) {
  expect(await indexedIn(db, organisationId)).toEqual(await indexableIn(db, organisationId))
  expect(await miscounts(db, organisationId)).toEqual([])
  const misplaced = await rowsIn(
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
