import { type SQL, sql } from 'drizzle-orm/sql'
import { isSettledHere } from '../store/databases.ts'
import type { WebhookMessage } from './message.ts'
import {
  type DeliveryBatch,
  type LeasedWebhook,
  type OutboxMessage,
  readNextBatch,
} from './next-messages.ts'
import type { AttemptResult } from './send.ts'

/** A delivery attempt with its result. */
export type Attempt = WebhookMessage & AttemptResult & { attempt: number; attempted: string }

/** The result of a delivery round. */
export type DeliveryResult = {
  attempts: readonly Attempt[]
  /** The messages to remove from the outbox. */
  removed: readonly WebhookMessage[]
  retries: readonly OutboxMessage[]
  /** The new cursor in the feed. */
  cursor: number
  /** Whether the receiver has recovered; the outbox is then sent at once. */
  isReceiverBack: boolean
  /** The reason for disabling the webhook, if any. */
  disabledReason: string | null
  failures: number
  failingSince: string | null
  lastSuccess: string | null
  retryAfter: string | null
  /** Whether to release the lease although messages remain. */
  releasesLease: boolean
}

/** The lease of a webhook, and the number of feed entries to read next. */
export type Lease = {
  id: string
  organisationId: string
  token: string
  now: number
  window: number
}

// Longer than a round can take. When the lease of an interrupted round expires, another continues.
const leaseMs = 150_000

/** The outbox size at which a webhook takes no new entries from the feed. */
export const maxOutboxMessages = 100

/**
 * The SQL condition for active webhooks that have messages to send and no lease. While an
 * organisation moves, its deliveries wait.
 */
export const isDue = (now: string): SQL =>
  sql`webhooks.state = 'active' AND coalesce(webhooks.lease_until, '') <= ${now}
    AND coalesce(webhooks.retry_after, '') <= ${now} AND ${hasMore(now, sql`webhooks.cursor`)}
    AND ${isSettledHere(sql`webhooks.organisation_id`)}`

/** Takes the lease of a due webhook and reads its first messages. */
export function takeLease(d1: D1Database, lease: Lease): Promise<DeliveryBatch> {
  const { id, token, now } = lease
  const query = sql`UPDATE webhooks SET lease = ${token}, lease_until = ${leaseEnd(now)}
    WHERE id = ${id} AND ${isDue(toIso(now))}`
  return readNextBatch(d1, [query], lease)
}

/** Saves a round's result if the lease is still valid, and reads the next messages. Releases the lease if none remain. */
export function saveResult(
  d1: D1Database,
  lease: Lease,
  webhook: LeasedWebhook,
  result: DeliveryResult,
): Promise<DeliveryBatch> {
  const { id, token } = lease
  const now = toIso(lease.now)
  const { attempts, retries, releasesLease, disabledReason } = result
  const isLeaseHeld = sql`EXISTS (SELECT 1 FROM webhooks WHERE id = ${id} AND lease = ${token})`
  // An administrator may have moved the cursor back during the round.
  const cursor = sql`iif(cursor = ${webhook.cursor}, ${result.cursor}, cursor)`
  const isCaughtUp = result.cursor >= webhook.newest
  const statements = [
    attempts.length > 0 && insertAttemptsStatement(id, attempts),
    result.removed.length > 0 &&
      sql`DELETE FROM webhook_outbox
        WHERE webhook_id = ${id} AND message_id IN (
          SELECT value ->> '$.messageId' FROM json_each(${JSON.stringify(result.removed)})
        ) AND ${isLeaseHeld}`,
    result.isReceiverBack &&
      sql`UPDATE webhook_outbox SET due = ${now}
        WHERE webhook_id = ${id} AND due > ${now} AND ${isLeaseHeld}`,
    retries.length > 0 && upsertOutboxStatement(id, retries, isLeaseHeld),
    sql`UPDATE webhooks SET
        cursor = ${cursor},
        notified = iif(cursor = ${webhook.cursor}, ${isCaughtUp ? result.cursor : webhook.notified}, notified),
        failures = ${result.failures},
        failing_since = ${result.failingSince},
        last_success = ${result.lastSuccess},
        retry_after = ${result.retryAfter},
        state = iif(state = 'active' AND ${disabledReason} IS NOT NULL, 'disabled', state),
        reason = iif(state = 'active', ${disabledReason}, reason),
        lease = next.lease,
        lease_until = iif(next.lease IS NULL, NULL, ${leaseEnd(lease.now)})
      FROM (
        SELECT iif(
          ${sql.raw(String(!releasesLease && disabledReason === null))} AND state = 'active' AND ${hasMore(now, cursor)},
          lease, NULL
        ) AS lease
        FROM webhooks WHERE id = ${id}
      ) AS next
      WHERE id = ${id} AND webhooks.lease = ${token}`,
  ]
  return readNextBatch(
    d1,
    statements.filter((statement) => statement !== false),
    lease,
  )
}

const messageColumns = ['collection', 'record_id', 'message_id', 'type', 'version', 'changed', 'at']

const outboxColumns = [...messageColumns, 'attempts', 'first_attempt', 'due']

const attemptColumns = [
  ...messageColumns,
  ...['attempted', 'attempt', 'status', 'failure', 'duration_ms', 'response'],
]

/** SQL that adds messages to the outbox. Each replaces a waiting message about the same record. */
export const upsertOutboxStatement = (
  id: string,
  messages: readonly OutboxMessage[],
  condition: SQL,
): SQL =>
  sql`INSERT INTO webhook_outbox (webhook_id, ${sql.raw(outboxColumns.join(', '))})
    SELECT ${id}, ${jsonValues(outboxColumns)} FROM json_each(${JSON.stringify(messages)}) WHERE ${condition}
    ON CONFLICT (webhook_id, collection, record_id) DO UPDATE SET
      message_id = excluded.message_id, type = excluded.type, version = excluded.version,
      changed = excluded.changed, at = excluded.at, attempts = excluded.attempts,
      first_attempt = excluded.first_attempt, due = excluded.due
    WHERE excluded.version >= webhook_outbox.version`

const insertAttemptsStatement = (id: string, attempts: readonly Attempt[]): SQL =>
  sql`INSERT OR IGNORE INTO webhook_attempts (webhook_id, ${sql.raw(attemptColumns.join(', '))})
    SELECT ${id}, ${jsonValues(attemptColumns)} FROM json_each(${JSON.stringify(attempts)})
    WHERE EXISTS (SELECT 1 FROM webhooks WHERE id = ${id})`

/** The SQL condition for webhooks that have messages to send after this cursor. */
const hasMore = (now: string, cursor: SQL): SQL => sql`(
  EXISTS (SELECT 1 FROM webhook_outbox WHERE webhook_id = webhooks.id AND due <= ${now})
  OR ${cursor} < (SELECT version FROM organisations WHERE id = webhooks.organisation_id)
    AND (SELECT count(*) FROM webhook_outbox WHERE webhook_id = webhooks.id) < ${maxOutboxMessages}
)`

/** SQL that reads columns from the camel-case properties of a JSON element. */
const jsonValues = (columns: readonly string[]): SQL =>
  sql.raw(columns.map((column) => `value ->> '$.${toCamelCase(column)}'`).join(', '))

const toCamelCase = (column: string) =>
  column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const toIso = (milliseconds: number) => new Date(milliseconds).toISOString()

const leaseEnd = (now: number) => toIso(now + leaseMs)
