import type { RecordDatabases } from '../platform/bindings.ts'
import {
  insertOrganisation,
  organisationExists,
  upsertOrganisation,
} from '../store/organisations.ts'
import { requireDatabase } from './move/locations.ts'

/** Creates an organisation in `DB`. Returns false if the id is taken. */
export const createOrganisation = (d1: D1Database, id: string, name: string): Promise<boolean> =>
  insertOrganisation(d1, { id, name, created: new Date().toISOString() })

/**
 * Creates an organisation in a database, and its row in the directory last, so that an interrupted call can be
 * repeated. Returns false if the id is taken. Throws 404 for an unknown database.
 */
export async function createOrganisationIn(
  env: RecordDatabases,
  databaseName: string,
  id: string,
  name: string,
): Promise<boolean> {
  const database = requireDatabase(env, databaseName)
  if (database.name === 'DB') return createOrganisation(env.DB, id, name)
  if (await organisationExists(env.DB, id)) return false
  const row = { id, name, created: new Date().toISOString() }
  await upsertOrganisation(database.d1, row)
  return insertOrganisation(env.DB, { ...row, database: database.name })
}
