import { and, count, eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { RecordDatabases } from '../platform/bindings.ts'
import { apiKeys, memberships } from '../store/access-tables.ts'
import { organisations, terms } from '../store/tables.ts'
import { webhooks } from '../store/webhook-tables.ts'
import { deleteRows } from './move/delete-rows.ts'
import { findLocations } from './move/locations.ts'
import { unfreeze } from './move/switch.ts'

/** The data of an organisation: records by collection, keys, users and webhooks. */
export type OrganisationContents = {
  name: string
  collections: { collection: string; records: number }[]
  keys: number
  users: number
  webhooks: number
}

/** Counts the data of an organisation; undefined for an unknown id. */
export async function countContents(
  env: RecordDatabases,
  id: string,
): Promise<OrganisationContents | undefined> {
  const locations = await findLocations(env, id)
  const home = locations.find(({ database }) => database === null) ?? locations[0]
  if (!home) return undefined
  const db = drizzle(home.d1)
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
  const users = await drizzle(env.DB).$count(memberships, eq(memberships.organisationId, id))
  return (
    organisation && {
      name: organisation.name,
      collections: collections.filter(({ records }) => records > 0),
      keys: keys?.number ?? 0,
      users,
      webhooks: hooks?.number ?? 0,
    }
  )
}

/**
 * Removes an organisation with all its data from all databases and reports the number of removed records. Users and
 * keys go first and the row of the directory last, so that an interrupted run can be repeated.
 */
export async function deleteOrganisation(
  env: RecordDatabases & { KEYS: KVNamespace },
  id: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  await drizzle(env.DB).delete(memberships).where(eq(memberships.organisationId, id))
  const locations = await findLocations(env, id)
  for (const { d1 } of locations.toReversed()) {
    const db = drizzle(d1)
    await unfreeze(d1, id)
    const keys = await db
      .select({ hash: apiKeys.hash })
      .from(apiKeys)
      .where(eq(apiKeys.organisationId, id))
    const deleteHints = () => Promise.all(keys.map(({ hash }) => env.KEYS.delete(hash)))
    // Twice: an interrupted run must find every hint again, and a request may restore one.
    await deleteHints()
    await deleteRows(d1, id, onProgress)
    await deleteHints()
    await db.delete(organisations).where(eq(organisations.id, id))
  }
}
