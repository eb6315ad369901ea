import { type SQL, sql } from 'drizzle-orm'
import { inTime } from '../platform/in-time.ts'
import { statement } from '../store/statement.ts'
import { testMessage } from './message.ts'
import { waitingStatement } from './outbox.ts'
import { change, ofAct, type WebhookAct } from './webhooks.ts'

/** Has a test message sent, and gives its id; undefined when there is no such webhook that is active. */
export async function testWebhook(DB: D1Database, act: WebhookAct): Promise<string | undefined> {
  const messageId = `msg_${crypto.randomUUID().replaceAll('-', '')}`
  const at = new Date().toISOString()
  const waiting = { ...testMessage(messageId, at), attempts: 0, firstAttempt: at, due: at }
  const isActive = sql`EXISTS (SELECT 1 FROM webhooks WHERE ${ofAct(act)} AND state = 'active')`
  const { meta } = await inTime(statement(DB, waitingStatement(act.id, [waiting], isActive)).run())
  return meta.changes > 0 ? messageId : undefined
}

/** Has a message sent again that was sent in the last 30 days; false when there was none. A later one about the same record that waits is sent in its place. */
export async function resendMessage(
  DB: D1Database,
  act: WebhookAct,
  messageId: string,
): Promise<boolean> {
  const at = new Date().toISOString()
  const again = sql`
    INSERT INTO webhook_waiting
    SELECT webhook_id, collection, record_id, message_id, type, version, changed, at, 0, ${at}, ${at}
    FROM (
      SELECT * FROM webhook_attempts
      WHERE webhook_id = ${act.id} AND message_id = ${messageId}
        AND EXISTS (SELECT 1 FROM webhooks WHERE ${ofAct(act)})
      ORDER BY tried DESC LIMIT 1
    )
    WHERE true
    ON CONFLICT (webhook_id, collection, record_id) DO UPDATE SET due = excluded.due`
  const { meta } = await inTime(statement(DB, again).run())
  return meta.changes > 0
}

/** Has everything sent again that changed since a time, each record with its last change. False when there is no such webhook. */
export async function resendSince(
  DB: D1Database,
  act: WebhookAct,
  since: string,
): Promise<boolean> {
  // Time never goes back within an organisation, so what changed before is what has a lower version.
  const last = (table: SQL, time: SQL) => sql`coalesce((
    SELECT version FROM ${table} WHERE organisation_id = ${act.organisationId} AND ${time} < ${since}
    ORDER BY version DESC LIMIT 1
  ), 0)`
  const before = sql`max(${last(sql`records`, sql`changed`)}, ${last(sql`deletions`, sql`at`)})`
  const set = { cursor: sql`min(cursor, ${before})`, told: sql`min(told, ${before})` }
  return change(DB, act, 'had resent to webhook', set)
}
