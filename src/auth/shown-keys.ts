import { asc, eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { inTime } from '../platform/in-time.ts'
import { apiKeys } from '../store/tables.ts'

/** What may be shown of a key, and whether it works. */
export type ShownKey = Omit<typeof apiKeys.$inferSelect, 'hash' | 'ownExpires'> & {
  state: KeyState
}

type KeyState = 'active' | 'revoked' | 'expired'

/** What may be shown of a key: never the key, but its first 8 characters (contract 5). */
const shown = {
  id: apiKeys.id,
  organisationId: apiKeys.organisationId,
  name: apiKeys.name,
  prefix: apiKeys.prefix,
  created: apiKeys.created,
  createdBy: apiKeys.createdBy,
  revoked: apiKeys.revoked,
  expires: apiKeys.expires,
  lastUsed: apiKeys.lastUsed,
  rights: apiKeys.rights,
  limits: apiKeys.limits,
}

/** The keys of an organisation, or of all, oldest first. */
export async function listKeys(d1: D1Database, organisationId?: string): Promise<ShownKey[]> {
  const ofOrganisation = organisationId ? eq(apiKeys.organisationId, organisationId) : undefined
  const found = await inTime(
    drizzle(d1)
      .select(shown)
      .from(apiKeys)
      .where(ofOrganisation)
      .orderBy(asc(apiKeys.created), sql`rowid`),
  )
  const now = new Date().toISOString()
  return found.map((key) => ({ ...key, state: stateOf(key, now) }))
}

function stateOf(
  { revoked, expires }: Pick<ShownKey, 'revoked' | 'expires'>,
  at: string,
): KeyState {
  if (revoked !== null) return 'revoked'
  return expires !== null && expires <= at ? 'expired' : 'active'
}
