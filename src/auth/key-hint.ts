import { eq } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import * as z from 'zod'
import { inTime } from '../platform/in-time.ts'
import { apiKeys } from '../store/tables.ts'

const Hint = z.object({
  keyId: z.string(),
  organisationId: z.string(),
  /** What the key was last known to be held to, as JSON text. */
  limits: z.string().nullable().default(null),
})

/** What KV knows about a key, under its hash. It is only a hint: the database decides, with every read, whether the key is valid. */
export type KeyHint = z.infer<typeof Hint>

// Milliseconds: longer than KV ever takes, and short enough to wait when it is down.
const patience = 500

/** What KV knows about the key with this hash; `unknown` means that KV answered and has never heard of it. If KV fails, stalls or holds rubbish, the service gets slower, not wrong. */
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

/** Tells KV about a key, so that its organisation is known at the edge. It does not matter if KV fails or stalls. */
export const writeHint = (kv: KVNamespace, hash: string, hint: KeyHint) =>
  inTime(kv.put(hash, JSON.stringify(hint))).catch(() => {})

/** Makes KV forget a key. It does not matter if that fails: a hint lets nobody in. */
export const deleteHint = (kv: KVNamespace, hash: string) => inTime(kv.delete(hash)).catch(() => {})

/** Finds the key with this hash in the database. */
export async function findKey(db: DrizzleD1Database, hash: string): Promise<KeyHint | undefined> {
  const [found] = await inTime(
    db
      .select({
        keyId: apiKeys.id,
        organisationId: apiKeys.organisationId,
        limits: apiKeys.limits,
      })
      .from(apiKeys)
      .where(eq(apiKeys.hash, hash)),
  )
  return found
}
