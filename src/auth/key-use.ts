import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { inTime } from '../platform/in-time.ts'
import { statement } from '../store/statement.ts'

/** What a key was used for: so many requests for a collection, and so many records that were given. */
export type Use = { collection: string; requests: number; records: number }

type KeyUse = Use & { organisationId: string; keyId: string; at: number }

// The platform ends what goes on for 30 seconds after an answer.
const gathering = 25_000
const interval = 60_000
const mostGathered = 10_000
const dayMilliseconds = 86_400_000

// What this isolate has not written yet. If it ends before that, a minute of it is lost at most.
const gathered = new Map<string, KeyUse>()
let lastWritten = Number.NEGATIVE_INFINITY
let waitingSince = Number.NEGATIVE_INFINITY

/** Notes what a key was used for at `now`, in milliseconds. Gives what writes it, once a minute at most, for the request to go on with after its answer; undefined where another does, or a later one will. */
export function noteUse(
  d1: D1Database,
  key: { organisationId: string; keyId: string },
  use: Use,
  now: number,
): Promise<void> | undefined {
  if (gathered.size >= mostGathered) gathered.clear()
  gather({ ...key, ...use, at: now })
  const due = Math.max(now + gathering, lastWritten + interval)
  // Of a request that was broken off, nobody waits any more.
  const isWaiting = now - waitingSince < interval
  if (isWaiting || due - now > gathering) return undefined
  waitingSince = now
  return wait(due - now).then(() => writeUse(d1, due))
}

/** Writes what was gathered so far; if that fails, it is gathered still. */
export async function writeUse(d1: D1Database, now: number): Promise<void> {
  lastWritten = now
  waitingSince = Number.NEGATIVE_INFINITY
  const uses = [...gathered.values()]
  gathered.clear()
  try {
    await inTime(d1.batch(useStatements(d1, uses)))
  } catch (error) {
    for (const use of uses) gather(use)
    throw error
  }
}

function gather(use: KeyUse): void {
  const name = `${use.keyId} ${use.collection} ${Math.floor(use.at / dayMilliseconds)}`
  const known = gathered.get(name)
  if (known) {
    known.requests += use.requests
    known.records += use.records
    known.at = Math.max(known.at, use.at)
  } else gathered.set(name, use)
}

function useStatements(d1: D1Database, gathered: readonly KeyUse[]) {
  const uses = JSON.stringify(
    gathered.map((use) => ({ ...use, at: new Date(use.at).toISOString() })),
  )
  return [
    // Of a key that was deleted meanwhile, perhaps with its organisation, nothing is kept.
    statement(
      d1,
      sql`INSERT INTO key_use (organisation_id, day, key_id, collection, requests, records)
      SELECT organisation_id, substr(use.value ->> '$.at', 1, 10), api_keys.id, use.value ->> '$.collection',
        use.value ->> '$.requests', use.value ->> '$.records'
      FROM json_each(${uses}) AS use
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
        FROM json_each(${uses}) GROUP BY 1
      ) AS use
      WHERE api_keys.id = use.key_id AND coalesce(last_used, '') < use.at`,
    ),
  ]
}
