import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { withTimeout } from '../platform/timeout.ts'
import { statement } from '../store/sql/statement.ts'

/** What a key was used for: so many requests for a collection, and so many records that were given. */
export type UseCount = { collection: string; requests: number; records: number }

type KeyUseCount = UseCount & { organisationId: string; keyId: string; at: number }

// The platform ends what goes on for 30 seconds after an answer.
const maxDelayMs = 25_000
const flushIntervalMs = 60_000
const maxPendingCounts = 10_000
const dayMs = 86_400_000

// What this isolate has not written yet. If it ends before that, a minute of it is lost at most.
const pendingCounts = new Map<string, KeyUseCount>()
let lastFlush = Number.NEGATIVE_INFINITY
let flushScheduledAt = Number.NEGATIVE_INFINITY

/** Notes what a key was used for at `now`, in milliseconds. Gives what writes it, once a minute at most, for the request to go on with after its answer; undefined where another does, or a later one will. */
export function countKeyUse(
  d1: D1Database,
  key: { organisationId: string; keyId: string },
  use: UseCount,
  now: number,
): Promise<void> | undefined {
  if (pendingCounts.size >= maxPendingCounts) pendingCounts.clear()
  addCount({ ...key, ...use, at: now })
  const due = Math.max(now + maxDelayMs, lastFlush + flushIntervalMs)
  // Of a request that was broken off, nobody waits any more.
  const isFlushScheduled = now - flushScheduledAt < flushIntervalMs
  if (isFlushScheduled || due - now > maxDelayMs) return undefined
  flushScheduledAt = now
  return wait(due - now).then(() => flushKeyUse(d1, due))
}

/** Writes what was gathered so far; if that fails, it is gathered still. */
export async function flushKeyUse(d1: D1Database, now: number): Promise<void> {
  lastFlush = now
  flushScheduledAt = Number.NEGATIVE_INFINITY
  const counts = [...pendingCounts.values()]
  pendingCounts.clear()
  try {
    await withTimeout(d1.batch(keyUseStatements(d1, counts)))
  } catch (error) {
    for (const use of counts) addCount(use)
    throw error
  }
}

function addCount(use: KeyUseCount): void {
  const countKey = `${use.keyId} ${use.collection} ${Math.floor(use.at / dayMs)}`
  const existing = pendingCounts.get(countKey)
  if (existing) {
    existing.requests += use.requests
    existing.records += use.records
    existing.at = Math.max(existing.at, use.at)
  } else pendingCounts.set(countKey, use)
}

function keyUseStatements(d1: D1Database, counts: readonly KeyUseCount[]) {
  const countsJson = JSON.stringify(
    counts.map((use) => ({ ...use, at: new Date(use.at).toISOString() })),
  )
  return [
    // Of a key that was deleted meanwhile, perhaps with its organisation, nothing is kept.
    statement(
      d1,
      sql`INSERT INTO key_use (organisation_id, day, key_id, collection, requests, records)
      SELECT organisation_id, substr(use.value ->> '$.at', 1, 10), api_keys.id, use.value ->> '$.collection',
        use.value ->> '$.requests', use.value ->> '$.records'
      FROM json_each(${countsJson}) AS use
      CROSS JOIN api_keys ON api_keys.id = use.value ->> '$.keyId'
        AND organisation_id = use.value ->> '$.organisationId'
      WHERE true
      ON CONFLICT DO UPDATE SET
        requests = requests + excluded.requests, records = records + excluded.records`,
    ),
    statement(
      d1,
      sql`UPDATE api_keys SET last_used = use.at
      FROM (
        SELECT value ->> '$.keyId' AS key_id, max(value ->> '$.at') AS at
        FROM json_each(${countsJson}) GROUP BY 1
      ) AS use
      WHERE api_keys.id = use.key_id AND coalesce(last_used, '') < use.at`,
    ),
  ]
}
