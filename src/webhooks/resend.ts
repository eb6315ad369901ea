import { type SQL, sql } from 'drizzle-orm/sql'
import { ofOrganisation } from '../store/fragments.ts'
import { statement } from '../store/statement.ts'
import { upsertOutbox } from '../store/webhooks/outbox.ts'
import { buildTestMessage } from './message.ts'
import { matchesWebhook, updateWebhook, type WebhookAction } from './webhooks.ts'

/** Queues a test message and returns its id; undefined if the webhook is not active. */
export async function sendTestMessage(
  DB: D1Database,
  action: WebhookAction,
): Promise<string | undefined> {
  const messageId = `msg_${crypto.randomUUID().replaceAll('-', '')}`
  const at = new Date().toISOString()
  const message = { ...buildTestMessage(messageId, at), attempts: 0, firstAttempt: at, due: at }
  const isActive = sql`EXISTS (SELECT 1 FROM webhooks WHERE ${matchesWebhook(action)} AND state = 'active')`
  const { meta } = await statement(DB, upsertOutbox(action.id, [message], isActive)).run()
  return meta.changes > 0 ? messageId : undefined
}

/** Queues a message of the last 30 days again; a waiting message about the same record becomes due instead. Returns false for an unknown message. */
export async function resendMessage(
  DB: D1Database,
  action: WebhookAction,
  messageId: string,
): Promise<boolean> {
  const at = new Date().toISOString()
  const query = sql`
    INSERT INTO webhook_outbox (
      webhook_id, collection, record_id, message_id, type, version, changed, at,
      attempts, first_attempt, due
    )
    SELECT webhook_id, collection, record_id, message_id, type, version, changed, at, 0, ${at}, ${at}
    FROM (
      SELECT webhook_id, collection, record_id, message_id, type, version, changed, at
      FROM webhook_attempts
      WHERE webhook_id = ${action.id} AND message_id = ${messageId}
        AND EXISTS (SELECT 1 FROM webhooks WHERE ${matchesWebhook(action)})
      ORDER BY attempted DESC LIMIT 1
    )
    WHERE true
    ON CONFLICT (webhook_id, collection, record_id) DO UPDATE SET due = excluded.due`
  const { meta } = await statement(DB, query).run()
  return meta.changes > 0
}

/** Moves the cursor back to send every change since a time again, each record once. Returns false for an unknown webhook. */
export async function resendSince(
  DB: D1Database,
  action: WebhookAction,
  since: string,
): Promise<boolean> {
  // Within an organisation, a later change has a higher version.
  const lastVersion = (table: SQL, time: SQL) => sql`coalesce((
    SELECT version FROM ${table} WHERE ${ofOrganisation(action)} AND ${time} < ${since}
    ORDER BY version DESC LIMIT 1
  ), 0)`
  const versionBefore = sql`max(${lastVersion(sql`records`, sql`changed`)}, ${lastVersion(sql`deletions`, sql`at`)})`
  const set = sql`cursor = min(cursor, ${versionBefore}), notified = min(notified, ${versionBefore})`
  return updateWebhook(DB, action, 'had resent to webhook', set)
}
