import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { miscounts } from './miscounts.ts'

/** The rows of a query with these values. */
export const rows = (sql: string, ...values: unknown[]) => rowsIn(env.DB, sql, ...values)

async function rowsIn(db: D1Database, sql: string, ...values: unknown[]) {
  const { results } = await db
    .prepare(sql)
    .bind(...values)
    .all()
  return results
}

/** What the index of an organisation holds: each record's id with each field and value it is found by. */
export const indexed = (organisationId: string, db = env.DB) =>
  rowsIn(
    db,
    `SELECT records.id, field, hex(value) AS value, typeof(value) AS type
    FROM terms CROSS JOIN holders ON holders.term = terms.id
    LEFT JOIN records USING (organisation_id, collection, position)
    WHERE terms.organisation_id = ? AND field <> '' ORDER BY 1, 2, 3, 4`,
    organisationId,
  )

/** What it must hold, made of the documents as they are. */
const indexable = (organisationId: string, db: D1Database) =>
  rowsIn(
    db,
    `SELECT DISTINCT records.id, field, hex(value) AS value, typeof(value) AS type
    FROM leaves CROSS JOIN records USING (row)
    WHERE leaves.organisation_id = ? ORDER BY 1, 2, 3, 4`,
    organisationId,
  )

/** Expects the index of an organisation to agree with the documents, its counts to be exact, and the records of every collection to be in order of arrival. */
export async function expectIndexed(organisationId: string, db = env.DB) {
  expect(await indexed(organisationId, db)).toEqual(await indexable(organisationId, db))
  expect(await miscounts(db, organisationId)).toEqual([])
  const misplaced = await rowsIn(
    db,
    `SELECT * FROM (
      SELECT
        collection, id, position,
        lag(position, 1, 0) OVER (PARTITION BY collection ORDER BY row) AS before
      FROM records WHERE organisation_id = ?
    ) WHERE position <= before`,
    organisationId,
  )
  expect(misplaced).toEqual([])
}

/** Expects the index to agree with the documents, and the organisation to have these records of one collection, in this order. */
export async function expectWhole(organisationId: string, ids: string[]) {
  await expectIndexed(organisationId)
  const kept = await rows(
    'SELECT id FROM records WHERE organisation_id = ? ORDER BY row',
    organisationId,
  )
  expect(kept).toEqual(ids.map((id) => ({ id })))
}
