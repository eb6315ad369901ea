import { asc, eq, type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { RecordDatabases } from '../../platform/bindings.ts'
import { apiKeys } from '../access-tables.ts'
import { listDatabases } from '../databases.ts'

/** A key without its secret, with its state. */
export type ListedKey = Omit<typeof apiKeys.$inferSelect, 'hash' | 'originalExpires'> & {
  state: KeyState
}

type KeyState = 'active' | 'revoked' | 'expired'

/** The columns to show. They include only the first 8 characters of the key. */
const listedColumns = {
  id: apiKeys.id,
  organisationId: apiKeys.organisationId,
  name: apiKeys.name,
  prefix: apiKeys.prefix,
  created: apiKeys.created,
  createdBy: apiKeys.createdBy,
  revoked: apiKeys.revoked,
  expires: apiKeys.expires,
  lastUsed: apiKeys.lastUsed,
  permissions: apiKeys.permissions,
  restrictions: apiKeys.restrictions,
}

/** Lists the keys of an organisation, oldest first. */
export const listKeys = (d1: D1Database, organisationId: string): Promise<ListedKey[]> =>
  readKeys(d1, eq(apiKeys.organisationId, organisationId))

/** Lists the keys of the organisations of all databases, oldest first. */
export async function listAllKeys(env: RecordDatabases): Promise<ListedKey[]> {
  // A move copies the keys of an organisation before it is here.
  const isHere = sql`${apiKeys.organisationId} IN (SELECT id FROM organisations WHERE database IS NULL)`
  const lists = await Promise.all(listDatabases(env).map(([, d1]) => readKeys(d1, isHere)))
  return lists.flat().toSorted((a, b) => a.created.localeCompare(b.created, 'en'))
}

async function readKeys(d1: D1Database, where: SQL): Promise<ListedKey[]> {
  const rows = await drizzle(d1)
    .select(listedColumns)
    .from(apiKeys)
    .where(where)
    .orderBy(asc(apiKeys.created), sql`rowid`)
  const now = new Date().toISOString()
  return rows.map((key) => ({ ...key, state: keyState(key, now) }))
}

function keyState(
  { revoked, expires }: Pick<ListedKey, 'revoked' | 'expires'>,
  now: string,
): KeyState {
  if (revoked !== null) return 'revoked'
  return expires !== null && expires <= now ? 'expired' : 'active'
}
