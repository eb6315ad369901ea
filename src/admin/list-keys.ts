import { asc, eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { withTimeout } from '../platform/timeout.ts'
import { apiKeys } from '../store/tables.ts'

/** A key without its secret, with its state. */
export type ListedKey = Omit<typeof apiKeys.$inferSelect, 'hash' | 'originalExpires'> & {
  state: KeyState
}

type KeyState = 'active' | 'revoked' | 'expired'

/** The columns to show. They include only the first 8 characters of the key (contract 5). */
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

/** Lists the keys of one or all organisations, oldest first. */
export async function listKeys(d1: D1Database, organisationId?: string): Promise<ListedKey[]> {
  const organisationFilter = organisationId ? eq(apiKeys.organisationId, organisationId) : undefined
  const rows = await withTimeout(
    drizzle(d1)
      .select(listedColumns)
      .from(apiKeys)
      .where(organisationFilter)
      .orderBy(asc(apiKeys.created), sql`rowid`),
  )
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
