import { sql } from 'drizzle-orm/sql'
import { isObject } from '../model/json.ts'
import { type DatabaseName, isDatabaseName, type RecordDatabases } from '../platform/bindings.ts'
import { withTimeout } from '../platform/timeout.ts'
import { findInDatabases } from '../store/databases.ts'
import { statement } from '../store/statement.ts'

/** The entry in KV under a key's hash. It is only a hint: every read checks the key in the database. */
export type KeyHint = {
  keyId: string
  organisationId: string
  /** The last known restrictions, as JSON text. */
  restrictions: string | null
  /** The database that has the organisation, as last known. */
  database: DatabaseName
}

// Longer than a KV read takes, but short enough to wait for while KV is down.
const timeoutMs = 500

/** Reads a key's hint from KV; `isUnknown` means that KV has no entry. Failures are ignored, because the database has the key too. */
export async function readHint(
  kv: KVNamespace,
  hash: string,
): Promise<{ hint?: KeyHint | undefined; isUnknown: boolean }> {
  try {
    const value = await withTimeout(kv.get(hash, 'json'), timeoutMs)
    return { hint: parseHint(value), isUnknown: value === null }
  } catch {
    return { isUnknown: false }
  }
}

/** Parses an entry; undefined if it is no hint. An old one lacks restrictions and database. */
function parseHint(entry: unknown): KeyHint | undefined {
  if (!isObject(entry)) return undefined
  const { keyId, organisationId, restrictions = null, database = 'DB' } = entry
  const hasRestrictions = restrictions === null || typeof restrictions === 'string'
  const hasDatabase = typeof database === 'string' && isDatabaseName(database)
  return typeof keyId === 'string' &&
    typeof organisationId === 'string' &&
    hasRestrictions &&
    hasDatabase
    ? { keyId, organisationId, restrictions, database }
    : undefined
}

/** Writes a key's hint to KV. Failures are ignored. */
export const writeHint = (kv: KVNamespace, hash: string, hint: KeyHint) =>
  kv.put(hash, JSON.stringify(hint)).catch(() => {})

/** Deletes a key's hint from KV. Failures are ignored: a hint grants no access. */
export const deleteHint = (kv: KVNamespace, hash: string) => kv.delete(hash).catch(() => {})

/** Finds the key with this hash in the databases. */
export function findKeyHint(
  databases: RecordDatabases,
  hash: string,
): Promise<KeyHint | undefined> {
  const query = sql`SELECT id AS keyId, organisation_id AS organisationId, restrictions
    FROM api_keys WHERE hash = ${hash}`
  return findInDatabases(databases, async (d1, database) => {
    const row = await statement(d1, query).first<Omit<KeyHint, 'database'>>()
    return row && { ...row, database }
  })
}
