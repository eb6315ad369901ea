import { Buffer } from 'node:buffer'
import { sql } from 'drizzle-orm/sql'
import { collectionNames } from '../model/collection.ts'
import type { DatabaseName, RecordDatabases } from '../platform/bindings.ts'
import { listDatabases } from './databases.ts'
import { ofOrganisation } from './fragments.ts'
import { statement } from './statement.ts'
import type { organisations } from './tables.ts'

type OrganisationRow = Pick<
  typeof organisations.$inferInsert,
  'id' | 'name' | 'created' | 'database'
>

/** SQL that adds an organisation. The key encrypts cursors: SQLite's random numbers are not meant for keys. */
export const insertOrganisationRow = ({ id, name, created, database }: OrganisationRow) =>
  sql`INSERT INTO organisations (id, name, created, database, cursor_key)
    VALUES (${id}, ${name}, ${created}, ${database ?? null}, ${newCursorKey()})`

const newCursorKey = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')

/** Adds an organisation to a database. Returns false if the id is taken. */
export async function insertOrganisation(d1: D1Database, row: OrganisationRow): Promise<boolean> {
  const query = sql`${insertOrganisationRow(row)} ON CONFLICT DO NOTHING RETURNING id`
  return (await statement(d1, query).first()) !== null
}

/** Adds an organisation to a database, also after an interrupted attempt. */
export async function upsertOrganisation(d1: D1Database, row: OrganisationRow): Promise<void> {
  const query = sql`${insertOrganisationRow(row)} ON CONFLICT (id)
    DO UPDATE SET name = excluded.name, created = excluded.created`
  await statement(d1, query).run()
}

/** The database that has an organisation, according to the directory in `DB`; undefined for an unknown id. */
export async function findDatabase(d1: D1Database, id: string): Promise<DatabaseName | undefined> {
  const query = sql`SELECT database FROM organisations WHERE id = ${id}`
  const row = await statement(d1, query).first<{ database: DatabaseName | null }>()
  return row ? (row.database ?? 'DB') : undefined
}

/** SQL that tests whether the service has an organisation. */
export const anyOrganisationExists = sql`EXISTS (SELECT 1 FROM organisations)`

export async function organisationExists(d1: D1Database, id: string): Promise<boolean> {
  return (await statement(d1, sql`SELECT id FROM organisations WHERE id = ${id}`).first()) !== null
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

export const countRecords = (d1: D1Database, id: string) => countRows(d1, 'records', id)

async function countRows(d1: D1Database, table: string, organisationId: string): Promise<number> {
  const query = sql`SELECT count(*) AS number FROM ${sql.identifier(table)}
    WHERE ${ofOrganisation({ organisationId })}`
  return (await statement(d1, query).first<number>('number')) ?? 0
}

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
  const isOfOrganisation = ofOrganisation({ organisationId: id })
  const query = sql`SELECT name,
      (SELECT json_group_array(json_object('collection', collection, 'records', count) ORDER BY collection)
        FROM terms WHERE ${isOfOrganisation} AND field = '' AND value = x'' AND count > 0
      ) AS collections,
      (SELECT count(*) FROM api_keys WHERE ${isOfOrganisation}) AS keys,
      (SELECT count(*) FROM webhooks WHERE ${isOfOrganisation}) AS webhooks
    FROM organisations WHERE id = ${id}`
  const row = await statement(d1, query).first<{
    name: string
    collections: string
    keys: number
    webhooks: number
  }>()
  return row ? { ...row, collections: JSON.parse(row.collections) } : undefined
}

/** Counts the users of an organisation, whom only `DB` has. */
export const countUsers = (d1: D1Database, id: string) => countRows(d1, 'memberships', id)

/** Deletes the memberships of an organisation, which only `DB` has. */
export async function deleteMemberships(d1: D1Database, organisationId: string): Promise<void> {
  await statement(
    d1,
    sql`DELETE FROM memberships WHERE ${ofOrganisation({ organisationId })}`,
  ).run()
}

/** The hashes of an organisation's keys. */
export async function listKeyHashes(d1: D1Database, organisationId: string): Promise<string[]> {
  const query = sql`SELECT hash FROM api_keys WHERE ${ofOrganisation({ organisationId })}`
  const { results } = await statement(d1, query).all<{ hash: string }>()
  return results.map(({ hash }) => hash)
}

/** Deletes the row of an organisation without data. */
export async function deleteOrganisationRow(d1: D1Database, id: string): Promise<void> {
  await statement(d1, sql`DELETE FROM organisations WHERE id = ${id}`).run()
}
