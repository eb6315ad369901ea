import { ApiError } from '../model/api-error.ts'
import type { RecordDatabases } from '../platform/bindings.ts'
import { openDatabase, rememberDatabase } from '../store/databases.ts'
import { findDatabase } from '../store/organisations.ts'

type WithDatabase<Env> = Env & { DB: D1Database }

/**
 * The bindings with an organisation's database as `DB`, as the functions for one organisation take them.
 * Only the original `DB` has the memberships. Throws 404 for an unknown organisation.
 */
export async function openOrganisation<Env extends RecordDatabases>(
  env: Env,
  organisationId: string,
): Promise<WithDatabase<Env>> {
  const bindings = await findOrganisation(env, organisationId)
  if (bindings) return bindings
  throw new ApiError('NOT_FOUND', `There is no organisation ${organisationId}.`)
}

/** The same bindings, or undefined for an unknown organisation. */
export async function findOrganisation<Env extends RecordDatabases>(
  env: Env,
  organisationId: string,
): Promise<WithDatabase<Env> | undefined> {
  const name = await findDatabase(env.DB, organisationId)
  if (name === undefined) return undefined
  // The hint of a new key names the database.
  rememberDatabase(organisationId, name)
  return { ...env, DB: openDatabase(env, name) }
}
