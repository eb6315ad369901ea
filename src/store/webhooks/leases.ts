import { type SQL, sql } from 'drizzle-orm/sql'
import { accessPolicyFor } from '../../access/access-policy.ts'
import { collectionNames } from '../../model/collection.ts'
import { isSettledHere } from '../databases.ts'
import { showsAll } from '../read/feed-visibility.ts'
import { statement } from '../statement.ts'
import type { Attempt, OutboxMessage, WebhookMessage } from './messages.ts'
import {
  type DeliveryBatch,
  keyRestrictions,
  type LeasedWebhook,
  mayRead,
  readNextBatch,
} from './next-messages.ts'
import { insertAttempts, maxOutboxMessages, upsertOutbox } from './outbox.ts'

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

/** A webhook with messages to send, with the duration of its latest attempt. */
export type DueWebhook = {
  id: string
  organisationId: string
  /** The restrictions of its key; null without a key or restrictions. */
  restrictions: string | null
  failures: number
  durationMs: number | null
}

/** The lease of a webhook, and the number of feed entries to read next. */
export type Lease = Pick<DueWebhook, 'id' | 'organisationId' | 'restrictions'> & {
  token: string
  now: number
  window: number
}

// Longer than a round can take. When the lease of an interrupted round expires, another continues.
const leaseMs = 150_000

/**
 * The SQL condition for active webhooks that have messages to send and no lease. While an
 * organisation moves, its deliveries wait.
 */
const isDue = (now: string): SQL =>
  sql`webhooks.state = 'active' AND coalesce(webhooks.lease_until, '') <= ${now}
    AND coalesce(webhooks.retry_after, '') <= ${now} AND ${hasMore(now, sql`webhooks.cursor`)}
    AND ${mayRead(now)}
    AND ${isSettledHere(sql`webhooks.organisation_id`)}`

/** Finds the webhooks of a database with messages to send, of some or all organisations. */
export async function findDueWebhooks(
  d1: D1Database,
  now: string,
  organisations: readonly string[] | undefined,
): Promise<DueWebhook[]> {
  const organisationFilter = organisations
    ? sql`organisation_id IN (SELECT value FROM json_each(${JSON.stringify(organisations)}))`
    : sql`true`
  const due = statement(
    d1,
    sql`SELECT id, organisation_id AS organisationId, failures, ${keyRestrictions} AS restrictions, (
        SELECT duration_ms FROM webhook_attempts WHERE webhook_id = webhooks.id
        ORDER BY attempted DESC LIMIT 1
      ) AS durationMs
      FROM webhooks WHERE ${organisationFilter} AND ${isDue(now)}`,
  )
  return (await due.all<DueWebhook>()).results
}

/** Takes the lease of a due webhook, removes messages that its key may no longer read, and reads its first messages. */
export function takeLease(d1: D1Database, lease: Lease): Promise<DeliveryBatch> {
  const { id, token, now } = lease
  const query = sql`UPDATE webhooks SET lease = ${token}, lease_until = ${leaseEnd(now)}
    WHERE id = ${id} AND ${isDue(toIso(now))}`
  return readNextBatch(d1, [query, ...removeHiddenMessages(lease)], lease)
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
    attempts.length > 0 && insertAttempts(id, attempts),
    result.removed.length > 0 &&
      sql`DELETE FROM webhook_outbox
        WHERE webhook_id = ${id} AND message_id IN (
          SELECT value ->> '$.messageId' FROM json_each(${JSON.stringify(result.removed)})
        ) AND ${isLeaseHeld}`,
    result.isReceiverBack &&
      sql`UPDATE webhook_outbox SET due = ${now}
        WHERE webhook_id = ${id} AND due > ${now} AND ${isLeaseHeld}`,
    retries.length > 0 && upsertOutbox(id, retries, isLeaseHeld),
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

/** The statements that remove waiting messages about what a restricted key does not see. */
function removeHiddenMessages({ id, organisationId, restrictions }: Lease): SQL[] {
  const policy = accessPolicyFor(restrictions)
  const hidden = collectionNames.filter((name) => !policy.allowsCollection(name))
  const isHiddenRecord = sql`EXISTS (
    SELECT 1 FROM records
    WHERE organisation_id = ${organisationId} AND collection = webhook_outbox.collection
      AND records.id = record_id AND NOT (${showsAll(policy.hiddenRecords())})
  )`
  if (!policy.hidesCollections && policy.hiddenRecords().length === 0) return []
  return [
    sql`DELETE FROM webhook_outbox WHERE webhook_id = ${id} AND (
      collection IN (SELECT value FROM json_each(${JSON.stringify(hidden)})) OR ${isHiddenRecord}
    )`,
  ]
}

/** The SQL condition for webhooks that have messages to send after this cursor. */
const hasMore = (now: string, cursor: SQL): SQL => sql`(
  EXISTS (SELECT 1 FROM webhook_outbox WHERE webhook_id = webhooks.id AND due <= ${now})
  OR ${cursor} < (SELECT version FROM organisations WHERE id = webhooks.organisation_id)
    AND (SELECT count(*) FROM webhook_outbox WHERE webhook_id = webhooks.id) < ${maxOutboxMessages}
)`

const toIso = (milliseconds: number) => new Date(milliseconds).toISOString()

const leaseEnd = (now: number) => toIso(now + leaseMs)
