import { sql } from 'drizzle-orm/sql'
import * as z from 'zod'
import { type DatabaseName, isDatabaseName, type RecordDatabases } from '../platform/bindings.ts'
import { withTimeout } from '../platform/timeout.ts'
import { findInDatabases } from '../store/databases.ts'
import { statement } from '../store/statement.ts'

const Hint = z.object({
  keyId: z.string(),
  organisationId: z.string(),
  /** The last known restrictions, as JSON text. */
  restrictions: z.string().nullable().default(null),
  /** The database that has the organisation, as last known. */
  database: z.custom<DatabaseName>((value) => isDatabaseName(String(value))).default('DB'),
})

/** The entry in KV under a key's hash. It is only a hint: every read checks the key in the database. */
export type KeyHint = z.infer<typeof Hint>

// Longer than a KV read takes, but short enough to wait for while KV is down.
const timeoutMs = 500

/** Reads a key's hint from KV; `isUnknown` means that KV has no entry. Failures are ignored, because the database has the key too. */
export async function readHint(
  kv: KVNamespace,
  hash: string,
): Promise<{ hint?: KeyHint | undefined; isUnknown: boolean }> {
  try {
    const value = await withTimeout(kv.get(hash, 'json'), timeoutMs)
    return { hint: Hint.safeParse(value).data, isUnknown: value === null }
  } catch {
    return { isUnknown: false }
  }
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
