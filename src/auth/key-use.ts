import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm/sql'
import type { CollectionUse } from '../access/credential.ts'
import { BoundedMap } from '../platform/bounded-map.ts'
import { withTimeout } from '../platform/timeout.ts'
import { statement } from '../store/statement.ts'

type KeyUseCount = CollectionUse & { organisationId: string; keyId: string; at: number }

// The platform ends background tasks 30 seconds after the response.
const maxDelayMs = 25_000
const flushIntervalMs = 60_000
const dayMs = 86_400_000

// Counts that this isolate has not written yet. If the isolate ends, it loses at most a minute.
const pendingCounts = new BoundedMap<string, KeyUseCount>(10_000)
let lastFlush = Number.NEGATIVE_INFINITY
let flushScheduledAt = Number.NEGATIVE_INFINITY

/** Counts the use of a key at `now`, in milliseconds. Returns a task that writes the pending counts, at most once a minute; otherwise undefined. */
export function countKeyUse(
  d1: D1Database,
  key: { organisationId: string; keyId: string },
  use: CollectionUse,
  now: number,
): Promise<void> | undefined {
  addCount({ ...key, ...use, at: now })
  const due = Math.max(now + maxDelayMs, lastFlush + flushIntervalMs)
  // The schedule expires, because an aborted request never flushes.
  const isFlushScheduled = now - flushScheduledAt < flushIntervalMs
  if (isFlushScheduled || due - now > maxDelayMs) return undefined
  flushScheduledAt = now
  return wait(due - now).then(() => flushKeyUse(d1, due))
}

/** Writes the pending counts; after a failure they stay pending. */
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
    existing.rowsRead += use.rowsRead
    existing.at = Math.max(existing.at, use.at)
  } else pendingCounts.set(countKey, use)
}

function keyUseStatements(d1: D1Database, counts: readonly KeyUseCount[]) {
  const countsJson = JSON.stringify(
    counts.map((use) => ({ ...use, at: new Date(use.at).toISOString() })),
  )
  return [
    // Skips keys that were deleted in the meantime, perhaps with their organisation.
    statement(
      d1,
      sql`INSERT INTO key_usage (organisation_id, day, key_id, collection, requests, records, rows_read)
      SELECT organisation_id, substr(use.value ->> '$.at', 1, 10), api_keys.id, use.value ->> '$.collection',
        use.value ->> '$.requests', use.value ->> '$.records', use.value ->> '$.rowsRead'
      FROM json_each(${countsJson}) AS use
      CROSS JOIN api_keys ON api_keys.id = use.value ->> '$.keyId'
        AND organisation_id = use.value ->> '$.organisationId'
      WHERE true
      ON CONFLICT DO UPDATE SET
        requests = requests + excluded.requests, records = records + excluded.records,
        rows_read = rows_read + excluded.rows_read`,
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
