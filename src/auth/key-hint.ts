import { eq } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import * as z from 'zod'
import { inTime } from '../platform/in-time.ts'
import { apiKeys } from '../store/tables.ts'

const Hint = z.object({ keyId: z.string(), organisationId: z.string() })

/** What KV knows of a key, under its hash. A hint, not a proof: whether the key is good, the database says with every read. */
export type KeyHint = z.infer<typeof Hint>

// Longer than KV takes, and short enough to wait for one that is dead.
const patience = 500

/** What KV knows of the key with this hash; `unknown` tells that KV answered and does not know it. KV that fails, stalls or holds rubbish makes the service slower, not wrong. */
export async function readHint(
  kv: KVNamespace,
  hash: string,
): Promise<{ hint?: KeyHint | undefined; unknown: boolean }> {
  try {
    const held = await inTime(kv.get(hash, 'json'), patience)
    return { hint: Hint.safeParse(held).data, unknown: held === null }
  } catch {
    return { unknown: false }
  }
}

/** Lets KV know a key under its hash, so that its organisation is known at the edge; KV that fails or stalls stops nobody. */
export const writeHint = (kv: KVNamespace, hash: string, hint: KeyHint) =>
  inTime(kv.put(hash, JSON.stringify(hint))).catch(() => {})

/** Lets KV forget a key; what it still says of one that is gone lets nobody in. */
export const deleteHint = (kv: KVNamespace, hash: string) => inTime(kv.delete(hash)).catch(() => {})

/** The key with this hash, from the database. */
export async function findKey(db: DrizzleD1Database, hash: string): Promise<KeyHint | undefined> {
  const [found] = await inTime(
    db
      .select({ keyId: apiKeys.id, organisationId: apiKeys.organisationId })
      .from(apiKeys)
      .where(eq(apiKeys.hash, hash)),
  )
  return found
}
