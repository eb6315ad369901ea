import { sql } from 'drizzle-orm/sql'
import { ApiError } from '../../model/api-error.ts'
import type { DatabaseName, RecordDatabases } from '../../platform/bindings.ts'
import { type Database, listDatabases } from '../../store/databases.ts'
import { statement } from '../../store/statement.ts'
import { arrive } from './switch.ts'

/** A database with a row of an organisation. */
export type OrganisationLocation = Database & {
  /** The database that has the organisation; null for this one. */
  database: DatabaseName | null
  /** The database to which it is being moved. The unfinished copy has its own name here. */
  movingTo: DatabaseName | null
}

/** The database with this name. Throws 404 for an unknown name. */
export function requireDatabase(env: RecordDatabases, name: string): Database {
  const databases = listDatabases(env)
  const entry = databases.find(([other]) => other === name)
  if (entry) return { name: entry[0], d1: entry[1] }
  const names = databases.map(([name]) => name).join(', ')
  throw new ApiError('NOT_FOUND', `There is no database ${name}. The databases are: ${names}.`)
}

/** Finds the databases with a row of an organisation. */
export async function findLocations(
  env: RecordDatabases,
  organisationId: string,
): Promise<OrganisationLocation[]> {
  const query = sql`SELECT database, moving_to AS movingTo FROM organisations
    WHERE id = ${organisationId}`
  const locations = await Promise.all(
    listDatabases(env).map(async ([name, d1]) => {
      const row = await statement(d1, query)
        .first<Omit<OrganisationLocation, keyof Database>>()
        .catch((error: Error) => {
          const isOutdated = /no such (table|column)/.test(error.message)
          throw isOutdated ? new ApiError('CONFLICT', `${name} lacks migrations.`) : error
        })
      return row && { name, d1, ...row }
    }),
  )
  return locations.filter((location) => location !== null)
}

/**
 * The location of the database that has an organisation. First completes a move that was interrupted
 * after the organisation left its database. Throws 404 for an unknown organisation, and 409 for one that
 * several databases have, unless one of these is `chosen`.
 */
export async function findHome(
  env: RecordDatabases,
  organisationId: string,
  chosen?: DatabaseName,
): Promise<OrganisationLocation> {
  const locations = await findLocations(env, organisationId)
  if (locations.length === 0)
    throw new ApiError('NOT_FOUND', `There is no organisation ${organisationId}.`)
  const homes = locations.filter(({ database }) => database === null)
  const [home] = homes
  if (home && homes.length === 1) return home
  const chosenHome = homes.find(({ name }) => name === chosen)
  if (chosenHome) return chosenHome
  if (home) {
    const names = homes.map(({ name }) => name).join(' and ')
    throw new ApiError(
      'CONFLICT',
      `${organisationId} is in ${names}, as after a restore. To keep one and delete the rest, move it there with --discard-others.`,
    )
  }
  // The organisation has left its database, which names that of the copy.
  const copy = locations.find(
    ({ name, movingTo }) =>
      movingTo === name && locations.some(({ database }) => database === name),
  )
  if (!copy) throw new ApiError('CONFLICT', `${organisationId} is in no database.`)
  await arrive(copy.d1, organisationId)
  return { ...copy, database: null, movingTo: null }
}
