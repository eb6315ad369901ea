import { eq } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import * as z from 'zod'
import { apiKeys } from '../store/tables.ts'

const Hint = z.object({ keyId: z.string(), organisationId: z.string() })

/** What KV knows of a key, under its hash. A hint, not a proof: whether the key is good, the database says with every read. */
export type KeyHint = z.infer<typeof Hint>

/** The key with this hash, from KV or else from the database; undefined when neither knows it. */
export async function findKey(
  kv: KVNamespace,
  db: DrizzleD1Database,
  hash: string,
  later: (work: Promise<unknown>) => void,
): Promise<KeyHint | undefined> {
  const known = await readHint(kv, hash)
  if (known) return known
  const [found] = await db
    .select({ keyId: apiKeys.id, organisationId: apiKeys.organisationId })
    .from(apiKeys)
    .where(eq(apiKeys.hash, hash))
  if (found) later(writeHint(kv, hash, found).catch(() => {}))
  return found
}

/** Lets KV know a key under its hash, so that its organisation is known at the edge. */
export const writeHint = (kv: KVNamespace, hash: string, hint: KeyHint) =>
  kv.put(hash, JSON.stringify(hint))

// KV that fails or holds rubbish makes the service slower, not wrong.
async function readHint(kv: KVNamespace, hash: string): Promise<KeyHint | undefined> {
  try {
    return Hint.safeParse(await kv.get(hash, 'json')).data
  } catch {
    return undefined
  }
}
