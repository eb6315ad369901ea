import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { expectExactIndex, queryRows, readIndex } from './index-of-database.ts'

/** The rows of a query with these parameters. */
export const rows = (sql: string, ...values: unknown[]) => queryRows(env.DB, sql, ...values)

/** The index of an organisation as record ids with fields and values. */
export const readOrganisationIndex = (organisationId: string, db = env.DB) =>
  readIndex(db, organisationId)

/** Expects the index to match the documents, exact counts, and records in order of arrival. */
export const expectOrganisationIndex = (organisationId: string, db = env.DB) =>
  expectExactIndex(db, organisationId)

/** Expects a correct index, and these records of one collection in this order. */
export async function expectRecordsAndIndex(organisationId: string, ids: string[]) {
  await expectOrganisationIndex(organisationId)
  const records = await rows(
    'SELECT id FROM records WHERE organisation_id = ? ORDER BY row',
    organisationId,
  )
  expect(records).toEqual(ids.map((id) => ({ id })))
}
