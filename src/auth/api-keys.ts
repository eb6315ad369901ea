import { and, asc, eq, isNull } from 'drizzle-orm'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import type { Bindings } from '../env.ts'
import { apiKeys } from '../store/tables.ts'
import { hashOf, newApiKey } from './api-key.ts'
import { writeHint } from './key-hint.ts'

/** What may be shown of a key: never the key, but its first 8 characters (contract 5). */
const shown = {
  id: apiKeys.id,
  organisationId: apiKeys.organisationId,
  name: apiKeys.name,
  prefix: apiKeys.prefix,
  created: apiKeys.created,
  revoked: apiKeys.revoked,
}

/** Makes a key for an organisation and gives it whole, this once. */
export async function createKey({ DB, KEYS }: Bindings, organisationId: string, name: string) {
  const key = newApiKey()
  const hash = await hashOf(key)
  const id = crypto.randomUUID()
  const prefix = key.slice(0, 8)
  const created = new Date().toISOString()
  await drizzle(DB).insert(apiKeys).values({ id, organisationId, name, prefix, hash, created })
  await writeHint(KEYS, hash, { keyId: id, organisationId })
  return { id, key, prefix }
}

/** The keys of an organisation, or of all, oldest first. */
export function listKeys(db: DrizzleD1Database, organisationId?: string) {
  const ofOrganisation = organisationId ? eq(apiKeys.organisationId, organisationId) : undefined
  return db.select(shown).from(apiKeys).where(ofOrganisation).orderBy(asc(apiKeys.created))
}

/** Disables a key from the next request on; false when there is no such key in force. */
export async function revokeKey(db: DrizzleD1Database, id: string): Promise<boolean> {
  const changed = await db
    .update(apiKeys)
    .set({ revoked: new Date().toISOString() })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revoked)))
    .returning({ id: apiKeys.id })
  return changed.length > 0
}

/** Enables a revoked key again; false when there is no such key. */
export async function reactivateKey(db: DrizzleD1Database, id: string): Promise<boolean> {
  const changed = await db
    .update(apiKeys)
    .set({ revoked: null })
    .where(eq(apiKeys.id, id))
    .returning({ id: apiKeys.id })
  return changed.length > 0
}

/** Deletes a key for good; false when there is no such key. */
export async function deleteKey({ DB, KEYS }: Bindings, id: string): Promise<boolean> {
  const [deleted] = await drizzle(DB)
    .delete(apiKeys)
    .where(eq(apiKeys.id, id))
    .returning({ hash: apiKeys.hash })
  if (deleted) await KEYS.delete(deleted.hash)
  return deleted !== undefined
}
