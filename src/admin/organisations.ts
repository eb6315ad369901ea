import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { collectionNames } from '../model/collection.ts'
import type { DatabaseName, RecordDatabases } from '../platform/bindings.ts'
import { listDatabases } from '../store/databases.ts'
import { statement } from '../store/statement.ts'
import { organisations, records } from '../store/tables.ts'
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
  await drizzle(database.d1)
    .insert(organisations)
    .values(row)
    .onConflictDoUpdate({ target: organisations.id, set: row })
  return insertOrganisation(env.DB, { ...row, database: database.name })
}

async function insertOrganisation(
  d1: D1Database,
  row: typeof organisations.$inferInsert,
): Promise<boolean> {
  const insertedRows = await drizzle(d1)
    .insert(organisations)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: organisations.id })
  return insertedRows.length > 0
}

/** An organisation with its database, its number of records, and their bytes when they were last measured. */
export type ListedOrganisation = {
  id: string
  name: string
  created: string
  database: DatabaseName
  movingTo: DatabaseName | null
  records: number
  documentBytes: number
  /** The time of the measurement; '' before the first. */
  measured: string
}

/** Lists the organisations of all databases in the order of their ids. */
export async function listOrganisations(env: RecordDatabases): Promise<ListedOrganisation[]> {
  const query = sql`SELECT id, name, created, moving_to AS movingTo, document_bytes AS documentBytes, measured, (
      SELECT coalesce(sum(count), 0)
      FROM json_each(${JSON.stringify(collectionNames)}) AS item CROSS JOIN terms
        ON terms.organisation_id = organisations.id AND terms.collection = item.value
          AND field = '' AND terms.value = x''
    ) AS records
    FROM organisations WHERE database IS NULL`
  const lists = await Promise.all(
    listDatabases(env).map(async ([database, d1]) => {
      const { results } = await statement(d1, query).all<Omit<ListedOrganisation, 'database'>>()
      return results.map((organisation) => ({ ...organisation, database }))
    }),
  )
  return lists.flat().toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** The name of an organisation, and for how many days its previous versions are stored; undefined for an unknown id. */
export async function readOrganisation(d1: D1Database, id: string) {
  const [row] = await drizzle(d1)
    .select({ name: organisations.name, versionDays: organisations.versionDays })
    .from(organisations)
    .where(eq(organisations.id, id))
  return row
}

async function organisationExists(d1: D1Database, id: string): Promise<boolean> {
  const rows = await drizzle(d1)
    .select({ id: organisations.id })
    .from(organisations)
    .where(eq(organisations.id, id))
  return rows.length > 0
}

export const countRecords = (d1: D1Database, id: string) =>
  drizzle(d1).$count(records, eq(records.organisationId, id))
