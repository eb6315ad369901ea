import { and, eq, isNull, lt, or } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { apiKeys } from '../store/tables.ts'

const interval = 5 * 60_000
const mostRemembered = 10_000

// Spares the database the question whether a key in constant use was noted lately.
const noted = new Map<string, number>()

/** Notes that a key was used at `now`, in milliseconds; undefined where that was noted less than five minutes before. */
export function noteUse(d1: D1Database, hash: string, now: number): Promise<void> | undefined {
  if (now - (noted.get(hash) ?? Number.NEGATIVE_INFINITY) < interval) return undefined
  if (noted.size >= mostRemembered) noted.clear()
  noted.set(hash, now)
  return note(d1, hash, now)
}

async function note(d1: D1Database, hash: string, now: number): Promise<void> {
  const before = new Date(now - interval).toISOString()
  try {
    await drizzle(d1)
      .update(apiKeys)
      .set({ lastUsed: new Date(now).toISOString() })
      .where(
        and(eq(apiKeys.hash, hash), or(isNull(apiKeys.lastUsed), lt(apiKeys.lastUsed, before))),
      )
  } catch (error) {
    noted.delete(hash)
    throw error
  }
}
