import { type SQL, sql } from 'drizzle-orm/sql'
import { ApiError } from '../model/api-error.ts'
import { type DatabaseName, isDatabaseName, type RecordDatabases } from '../platform/bindings.ts'
import { BoundedMap } from '../platform/bounded-map.ts'

/** A database with its name. */
export type Database = { name: DatabaseName; d1: D1Database }

/** Lists the databases with records by their names: `DB` first, then `DB_1`, `DB_2` and so on. */
export function listDatabases(env: RecordDatabases): [DatabaseName, D1Database][] {
  return Object.keys(env)
    .filter(isDatabaseName)
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((name) => [name, openDatabase(env, name)])
}

/** The database with this name. Throws 503 if the Worker has no such binding. */
export function openDatabase(env: RecordDatabases, name: DatabaseName): D1Database {
  const database: D1Database | undefined = env[name]
  if (database) return database
  throw new ApiError('UNAVAILABLE', `This service has no database ${name}.`, {
    'Retry-After': '60',
  })
}

// Only a database itself knows whether it has an organisation, so an entry may be out of date.
const lastKnown = new BoundedMap<string, DatabaseName>(10_000)

/** The database that probably has an organisation: the last known one, else the one of the hint. */
export const probableDatabase = (organisationId: string, hint: DatabaseName = 'DB'): DatabaseName =>
  lastKnown.get(organisationId) ?? hint

/** Remembers in this isolate which database has an organisation. */
export function rememberDatabase(organisationId: string, name: DatabaseName): void {
  lastKnown.set(organisationId, name)
}

/** Runs a query in every database at once, and returns its first result. Throws if a database fails and the others have none. */
export async function findInDatabases<Result>(
  env: RecordDatabases,
  find: (d1: D1Database, name: DatabaseName) => Promise<Result | null>,
): Promise<Result | undefined> {
  const results = await Promise.allSettled(listDatabases(env).map(([name, d1]) => find(d1, name)))
  for (const result of results)
    if (result.status === 'fulfilled' && result.value !== null) return result.value
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return undefined
}

/** SQL that tests whether an organisation is in this database and is not being moved. */
export const isSettledHere = (organisationId: SQL): SQL => sql`EXISTS (
  SELECT 1 FROM organisations WHERE organisations.id = ${organisationId}
    AND organisations.database IS NULL AND organisations.moving_to IS NULL
)`
