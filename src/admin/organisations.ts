import { asc, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { organisations, records } from '../store/tables.ts'

/** Creates an organisation. Returns false if the id is taken. */
export async function createOrganisation(
  d1: D1Database,
  id: string,
  name: string,
): Promise<boolean> {
  const insertedRows = await drizzle(d1)
    .insert(organisations)
    .values({ id, name, created: new Date().toISOString() })
    .onConflictDoNothing()
    .returning({ id: organisations.id })
  return insertedRows.length > 0
}

const listedColumns = {
  id: organisations.id,
  name: organisations.name,
  created: organisations.created,
}

/** Lists all organisations in the order of their ids. */
export const listOrganisations = (d1: D1Database) =>
  drizzle(d1).select(listedColumns).from(organisations).orderBy(asc(organisations.id))

/** Returns the name of an organisation, and for how many days its previous versions are stored; undefined for an unknown id. */
export async function readOrganisation(d1: D1Database, id: string) {
  const [row] = await drizzle(d1)
    .select({ name: organisations.name, versionDays: organisations.versionDays })
    .from(organisations)
    .where(eq(organisations.id, id))
  return row
}

export async function organisationExists(d1: D1Database, id: string): Promise<boolean> {
  const rows = await drizzle(d1)
    .select({ id: organisations.id })
    .from(organisations)
    .where(eq(organisations.id, id))
  return rows.length > 0
}

/** Returns the number of records in all collections of an organisation. */
export const countRecords = (d1: D1Database, id: string) =>
  drizzle(d1).$count(records, eq(records.organisationId, id))
