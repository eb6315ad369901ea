import { and, count, eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { collectionNames } from '../model/collection.ts'
import type { DatabaseName, RecordDatabases } from '../platform/bindings.ts'
import { apiKeys, memberships } from './access-tables.ts'
import { listDatabases } from './databases.ts'
import { statement } from './statement.ts'
import { organisations, records, terms } from './tables.ts'
import { webhooks } from './webhook-tables.ts'

type OrganisationRow = Pick<
  typeof organisations.$inferInsert,
  'id' | 'name' | 'created' | 'database'
>

/** Adds an organisation to a database. Returns false if the id is taken. */
export async function insertOrganisation(d1: D1Database, row: OrganisationRow): Promise<boolean> {
  const insertedRows = await drizzle(d1)
    .insert(organisations)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: organisations.id })
  return insertedRows.length > 0
}

/** Adds an organisation to a database, also after an interrupted attempt. */
export async function upsertOrganisation(d1: D1Database, row: OrganisationRow): Promise<void> {
  await drizzle(d1)
    .insert(organisations)
    .values(row)
    .onConflictDoUpdate({ target: organisations.id, set: row })
}

/** The database that has an organisation, according to the directory in `DB`; undefined for an unknown id. */
export async function findDatabase(d1: D1Database, id: string): Promise<DatabaseName | undefined> {
  const query = sql`SELECT database FROM organisations WHERE id = ${id}`
  const row = await statement(d1, query).first<{ database: DatabaseName | null }>()
  return row ? (row.database ?? 'DB') : undefined
}

export async function organisationExists(d1: D1Database, id: string): Promise<boolean> {
  return (await drizzle(d1).$count(organisations, eq(organisations.id, id))) > 0
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

export const countRecords = (d1: D1Database, id: string) =>
  drizzle(d1).$count(records, eq(records.organisationId, id))

/** The data of an organisation: records by collection, keys, users and webhooks. */
export type OrganisationContents = {
  name: string
  collections: { collection: string; records: number }[]
  keys: number
  users: number
  webhooks: number
}

/** Counts what a database has of an organisation, without its users; undefined for an unknown id. */
export async function readContents(
  d1: D1Database,
  id: string,
): Promise<Omit<OrganisationContents, 'users'> | undefined> {
  const db = drizzle(d1)
  const [[organisation], collections, [keys], [hooks]] = await db.batch([
    db.select({ name: organisations.name }).from(organisations).where(eq(organisations.id, id)),
    db
      .select({ collection: terms.collection, records: terms.count })
      .from(terms)
      .where(and(eq(terms.organisationId, id), eq(terms.field, ''), eq(terms.value, sql`x''`)))
      .orderBy(terms.collection),
    db.select({ number: count() }).from(apiKeys).where(eq(apiKeys.organisationId, id)),
    db.select({ number: count() }).from(webhooks).where(eq(webhooks.organisationId, id)),
  ])
  return (
    organisation && {
      name: organisation.name,
      collections: collections.filter(({ records }) => records > 0),
      keys: keys?.number ?? 0,
      webhooks: hooks?.number ?? 0,
    }
  )
}

/** Counts the users of an organisation, whom only `DB` has. */
export const countUsers = (d1: D1Database, id: string) =>
  drizzle(d1).$count(memberships, eq(memberships.organisationId, id))

/** Deletes the memberships of an organisation, which only `DB` has. */
export async function deleteMemberships(d1: D1Database, id: string): Promise<void> {
  await drizzle(d1).delete(memberships).where(eq(memberships.organisationId, id))
}

/** The hashes of an organisation's keys. */
export async function listKeyHashes(d1: D1Database, id: string): Promise<string[]> {
  const keys = await drizzle(d1)
    .select({ hash: apiKeys.hash })
    .from(apiKeys)
    .where(eq(apiKeys.organisationId, id))
  return keys.map(({ hash }) => hash)
}

/** Deletes the row of an organisation whose data is gone. */
export async function deleteOrganisationRow(d1: D1Database, id: string): Promise<void> {
  await drizzle(d1).delete(organisations).where(eq(organisations.id, id))
}
