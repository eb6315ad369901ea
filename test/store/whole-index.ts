import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { expectIndexedIn, indexedIn, rowsIn } from './indexed-in.ts'

/** The rows of a query with these values. */
export const rows = (sql: string, ...values: unknown[]) => rowsIn(env.DB, sql, ...values)

/** What the index of an organisation holds: each record's id with each field and value it is found by. */
export const indexed = (organisationId: string, db = env.DB) => indexedIn(db, organisationId)

/** Expects the index of an organisation to agree with the documents, its counts to be exact, and the records of every collection to be in order of arrival. */
export const expectIndexed = (organisationId: string, db = env.DB) =>
  expectIndexedIn(db, organisationId)

/** Expects the index to agree with the documents, and the organisation to have these records of one collection, in this order. */
export async function expectWhole(organisationId: string, ids: string[]) {
  await expectIndexed(organisationId)
  const kept = await rows(
    'SELECT id FROM records WHERE organisation_id = ? ORDER BY row',
    organisationId,
  )
  expect(kept).toEqual(ids.map((id) => ({ id })))
}
