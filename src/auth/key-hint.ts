import { eq } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import * as z from 'zod'
import { apiKeys } from '../store/tables.ts'

const Hint = z.object({ keyId: z.string(), organisationId: z.string() })

/** What KV knows of a key, under its hash. A hint, not a proof: whether the key is good, the database says with every read. */
export type KeyHint = z.infer<typeof Hint>

/** What KV knows of the key with this hash. KV that fails or holds rubbish makes the service slower, not wrong. */
export async function readHint(kv: KVNamespace, hash: string): Promise<KeyHint | undefined> {
  try {
    return Hint.safeParse(await kv.get(hash, 'json')).data
  } catch {
    return undefined
  }
}

/** Lets KV know a key under its hash, so that its organisation is known at the edge. */
export const writeHint = (kv: KVNamespace, hash: string, hint: KeyHint) =>
  kv.put(hash, JSON.stringify(hint))

/** The key with this hash, from the database. */
export async function findKey(db: DrizzleD1Database, hash: string): Promise<KeyHint | undefined> {
  const [found] = await db
    .select({ keyId: apiKeys.id, organisationId: apiKeys.organisationId })
    .from(apiKeys)
    .where(eq(apiKeys.hash, hash))
  return found
}
