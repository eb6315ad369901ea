import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm/sql'
import type { CollectionUse } from '../access/credential.ts'
import type { DatabaseName, RecordDatabases } from '../platform/bindings.ts'
import { BoundedMap } from '../platform/bounded-map.ts'
import { openDatabase, probableDatabase } from '../store/databases.ts'
import { statement } from '../store/statement.ts'

/** A key with its organisation and the database that has it, as last known. */
type UsedKey = { organisationId: string; keyId: string; database: DatabaseName }

type KeyUseCount = CollectionUse & UsedKey & { at: number }

// The platform ends background tasks 30 seconds after the response.
const maxDelayMs = 25_000
const flushIntervalMs = 60_000
const dayMs = 86_400_000

/** The maximum number of counts that wait for a database. */
const maxPending = 10_000

/** The maximum number of counts in one write: D1 takes 2 MB as one parameter. */
const maxWritten = 2000

// Counts that this isolate has not written yet, by database: an unreachable one must not displace the
// counts of others. If the isolate ends, it loses at most a minute.
const pendingCounts = new Map<DatabaseName, BoundedMap<string, KeyUseCount>>()
let lastFlush = Number.NEGATIVE_INFINITY
let flushScheduledAt = Number.NEGATIVE_INFINITY

/** Counts the use of a key at `now`, in milliseconds. Returns a task that writes the pending counts, at most once a minute; otherwise undefined. */
export function countKeyUse(
  databases: RecordDatabases,
  key: UsedKey,
  use: CollectionUse,
  now: number,
): Promise<void> | undefined {
  addCount({ ...key, ...use, at: now })
  const due = Math.max(now + maxDelayMs, lastFlush + flushIntervalMs)
  // The schedule expires, because an aborted request never flushes.
  const isFlushScheduled = now - flushScheduledAt < flushIntervalMs
  if (isFlushScheduled || due - now > maxDelayMs) return undefined
  flushScheduledAt = now
  return wait(due - now).then(() =>
    // A flush in the meantime has written the counts.
    flushScheduledAt === now ? flushKeyUse(databases, due) : undefined,
  )
}

/** Writes the pending counts to the databases of their keys. Those of a database that fails stay pending. */
export async function flushKeyUse(databases: RecordDatabases, now: number): Promise<void> {
  lastFlush = now
  flushScheduledAt = Number.NEGATIVE_INFINITY
  const pending = [...pendingCounts.values()].flatMap((counts) => [...counts.values()])
  pendingCounts.clear()
  const byDatabase = Map.groupBy(pending, databaseOf)
  const results = await Promise.allSettled(
    [...byDatabase].map(([database, counts]) => writeCounts(databases, database, counts)),
  )
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

async function writeCounts(
  databases: RecordDatabases,
  database: DatabaseName,
  counts: readonly KeyUseCount[],
): Promise<void> {
  let written = 0
  try {
    const d1 = openDatabase(databases, database)
    for (; written < counts.length; written += maxWritten) {
      const part = counts.slice(written, written + maxWritten)
      await d1.batch(keyUseStatements(d1, part))
    }
  } catch (error) {
    for (const use of counts.slice(written)) addCount(use)
    throw error
  }
}

const databaseOf = ({ organisationId, database }: UsedKey) =>
  probableDatabase(organisationId, database)

function addCount(use: KeyUseCount): void {
  const database = databaseOf(use)
  const counts = pendingCounts.get(database) ?? new BoundedMap<string, KeyUseCount>(maxPending)
  pendingCounts.set(database, counts)
  const countKey = `${use.keyId} ${use.collection} ${Math.floor(use.at / dayMs)}`
  const existing = counts.get(countKey)
  if (existing) {
    existing.requests += use.requests
    existing.records += use.records
    existing.rowsRead += use.rowsRead
    existing.at = Math.max(existing.at, use.at)
    existing.database = use.database
  } else counts.set(countKey, use)
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
