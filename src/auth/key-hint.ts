import { eq } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import * as z from 'zod'
import { withTimeout } from '../platform/timeout.ts'
import { apiKeys } from '../store/sql/tables.ts'

const Hint = z.object({
  keyId: z.string(),
  organisationId: z.string(),
  /** What the key was last known to be held to, as JSON text. */
  limits: z.string().nullable().default(null),
})

/** What KV knows about a key, under its hash. It is only a hint: the database decides, with every read, whether the key is valid. */
export type KeyHint = z.infer<typeof Hint>

// Milliseconds: longer than KV ever takes, and short enough to wait when it is down.
const timeoutMs = 500

/** What KV knows about the key with this hash; `unknown` means that KV answered and has never heard of it. If KV fails, stalls or holds rubbish, the service gets slower, not wrong. */
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

/** Tells KV about a key, so that its organisation is known at the edge. It does not matter if KV fails or stalls. */
export const writeHint = (kv: KVNamespace, hash: string, hint: KeyHint) =>
  withTimeout(kv.put(hash, JSON.stringify(hint))).catch(() => {})

/** Makes KV forget a key. It does not matter if that fails: a hint lets nobody in. */
export const deleteHint = (kv: KVNamespace, hash: string) =>
  withTimeout(kv.delete(hash)).catch(() => {})

/** Finds the key with this hash in the database. */
export async function findKeyHint(
  db: DrizzleD1Database,
  hash: string,
): Promise<KeyHint | undefined> {
  const [hint] = await withTimeout(
    db
      .select({
        keyId: apiKeys.id,
        organisationId: apiKeys.organisationId,
        limits: apiKeys.limits,
      })
      .from(apiKeys)
      .where(eq(apiKeys.hash, hash)),
  )
  return hint
}
