import { type SQL, sql } from 'drizzle-orm'
import type { Message } from './message.ts'
import { type Held, nextRound, type Round, type Waiting } from './round.ts'
import type { Outcome } from './send.ts'

/** An attempt that was made. */
export type Attempt = Message & Outcome & { attempt: number; tried: string }

/** What came of a round. */
export type Settled = {
  attempts: readonly Attempt[]
  /** What was waiting and is not any more. */
  settled: readonly Message[]
  waiting: readonly Waiting[]
  /** Up to where the feed was sent. */
  cursor: number
  /** Whether the receiver is back, so that what waits is sent at once. */
  isBack: boolean
  /** Why the webhook is disabled, if it is. */
  disabled: string | null
  failures: number
  failingSince: string | null
  lastSuccess: string | null
  restUntil: string | null
  /** Whether to let go, whatever there is to send. */
  ends: boolean
}

/** Who sends to a webhook at a time, and how many entries of the feed it reads next. */
export type Lease = {
  id: string
  organisationId: string
  token: string
  now: number
  window: number
}

// Longer than a round can take. Whoever was stopped amid one is followed after that.
const leaseMilliseconds = 150_000

/** How many messages a webhook may have waiting before it is sent nothing new. */
export const mostWaiting = 100

/** SQL for whether there is something to send to a webhook, and nobody sends. */
export const isDue = (now: string): SQL =>
  sql`webhooks.state = 'active' AND coalesce(webhooks.lease_until, '') <= ${now}
    AND coalesce(webhooks.rest_until, '') <= ${now} AND ${hasMore(now, sql`webhooks.cursor`)}`

/** Takes the lease of a webhook, if there is something to send to it, and reads the first of it. */
export function take(d1: D1Database, lease: Lease): Promise<Round> {
  const { id, token, now } = lease
  const taken = sql`UPDATE webhooks SET lease = ${token}, lease_until = ${leaseEnd(now)}
    WHERE id = ${id} AND ${isDue(iso(now))}`
  return nextRound(d1, [taken], lease)
}

/** Notes what came of a round, if the lease is still held, and reads what is next; lets the lease go when that is nothing. */
export function settle(
  d1: D1Database,
  lease: Lease,
  before: Held,
  settled: Settled,
): Promise<Round> {
  const { id, token } = lease
  const now = iso(lease.now)
  const { attempts, waiting, ends, disabled } = settled
  const isHeld = sql`EXISTS (SELECT 1 FROM webhooks WHERE id = ${id} AND lease = ${token})`
  // Somebody may have set them back meanwhile.
  const cursor = sql`iif(cursor = ${before.cursor}, ${settled.cursor}, cursor)`
  const isAllTold = settled.cursor >= before.newest
  const statements = [
    attempts.length > 0 && attemptsStatement(id, attempts),
    settled.settled.length > 0 &&
      sql`DELETE FROM webhook_waiting
        WHERE webhook_id = ${id} AND message_id IN (
          SELECT value ->> '$.messageId' FROM json_each(${JSON.stringify(settled.settled)})
        ) AND ${isHeld}`,
    settled.isBack &&
      sql`UPDATE webhook_waiting SET due = ${now}
        WHERE webhook_id = ${id} AND due > ${now} AND ${isHeld}`,
    waiting.length > 0 && waitingStatement(id, waiting, isHeld),
    sql`UPDATE webhooks SET
        cursor = ${cursor},
        told = iif(cursor = ${before.cursor}, ${isAllTold ? settled.cursor : before.told}, told),
        failures = ${settled.failures},
        failing_since = ${settled.failingSince},
        last_success = ${settled.lastSuccess},
        rest_until = ${settled.restUntil},
        state = iif(state = 'active' AND ${disabled} IS NOT NULL, 'disabled', state),
        reason = iif(state = 'active', ${disabled}, reason),
        lease = next.lease,
        lease_until = iif(next.lease IS NULL, NULL, ${leaseEnd(lease.now)})
      FROM (
        SELECT iif(
          ${sql.raw(String(!ends && disabled === null))} AND state = 'active' AND ${hasMore(now, cursor)},
          lease, NULL
        ) AS lease
        FROM webhooks WHERE id = ${id}
      ) AS next
      WHERE id = ${id} AND webhooks.lease = ${token}`,
  ]
  return nextRound(
    d1,
    statements.filter((one) => one !== false),
    lease,
  )
}

/** SQL that puts messages among those that wait, each in place of what waits of the same record. */
export const waitingStatement = (id: string, waiting: readonly Waiting[], condition: SQL): SQL =>
  sql`INSERT INTO webhook_waiting SELECT ${id}, ${valuesOf([
    ...['collection', 'recordId', 'messageId', 'type', 'version', 'changed', 'at'],
    ...['attempts', 'firstAttempt', 'due'],
  ])} FROM json_each(${JSON.stringify(waiting)}) WHERE ${condition}
    ON CONFLICT (webhook_id, collection, record_id) DO UPDATE SET
      message_id = excluded.message_id, type = excluded.type, version = excluded.version,
      changed = excluded.changed, at = excluded.at, attempts = excluded.attempts,
      first_attempt = excluded.first_attempt, due = excluded.due
    WHERE excluded.version >= webhook_waiting.version`

const attemptsStatement = (id: string, attempts: readonly Attempt[]): SQL =>
  sql`INSERT OR IGNORE INTO webhook_attempts SELECT ${id}, ${valuesOf([
    ...['tried', 'collection', 'recordId', 'messageId', 'type', 'version', 'changed', 'at'],
    ...['attempt', 'status', 'fault', 'milliseconds', 'answer'],
  ])} FROM json_each(${JSON.stringify(attempts)})
    WHERE EXISTS (SELECT 1 FROM webhooks WHERE id = ${id})`

/** SQL for whether something is to be sent to a webhook that was told of everything up to a version. */
const hasMore = (now: string, cursor: SQL): SQL => sql`(
  EXISTS (SELECT 1 FROM webhook_waiting WHERE webhook_id = webhooks.id AND due <= ${now})
  OR ${cursor} < (SELECT version FROM organisations WHERE id = webhooks.organisation_id)
    AND (SELECT count(*) FROM webhook_waiting WHERE webhook_id = webhooks.id) < ${mostWaiting}
)`

const valuesOf = (names: readonly string[]): SQL =>
  sql.join(
    names.map((name) => sql`value ->> ${sql.raw(`'$.${name}'`)}`),
    sql`, `,
  )

const iso = (milliseconds: number) => new Date(milliseconds).toISOString()

const leaseEnd = (now: number) => iso(now + leaseMilliseconds)
