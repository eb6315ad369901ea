import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { miscounts } from './miscounts.ts'

/** The rows of a query with these values. */
export const rows = async (sql: string, ...values: unknown[]) =>
  (
    await env.DB.prepare(sql)
      .bind(...values)
      .all()
  ).results

/** What the index of an organisation holds: each record's id with each field and value it is found by. */
export const indexed = (organisationId: string) =>
  rows(
    `SELECT records.id, field, hex(value) AS value, typeof(value) AS type
    FROM terms CROSS JOIN postings ON postings.term = terms.id CROSS JOIN records USING (row)
    WHERE terms.organisation_id = ? ORDER BY 1, 2, 3, 4`,
    organisationId,
  )

/** What it must hold, made of the documents as they are. */
const indexable = (organisationId: string) =>
  rows(
    `SELECT DISTINCT records.id, field, hex(value) AS value, typeof(value) AS type
    FROM leaves CROSS JOIN records USING (row)
    WHERE leaves.organisation_id = ? ORDER BY 1, 2, 3, 4`,
    organisationId,
  )

/** Expects the index to agree with the documents, and the organisation to have these records, in this order. */
export async function expectWhole(organisationId: string, ids: string[]) {
  expect(await indexed(organisationId)).toEqual(await indexable(organisationId))
  expect(await miscounts(env.DB, organisationId)).toEqual([])
  expect(
    await rows(
      `SELECT id, position FROM records WHERE organisation_id = ? ORDER BY row`,
      organisationId,
    ),
  ).toEqual(ids.map((id, index) => ({ id, position: index + 1 })))
}
