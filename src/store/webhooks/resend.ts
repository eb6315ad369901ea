import { type SQL, sql } from 'drizzle-orm/sql'
import { ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'
import { administration } from '../terms.ts'
import type { OutboxMessage } from './messages.ts'
import { upsertOutbox } from './outbox.ts'
import { updateWebhook, webhookExists } from './webhooks.ts'

/** Queues a message of an active webhook. Returns false if the webhook is not active. */
export async function queueMessage(
  store: Store,
  id: string,
  message: OutboxMessage,
): Promise<boolean> {
  const isActive = webhookExists(store, id, sql`state = 'active'`)
  const { refused } = await store.write(
    { ...administration, unless: { notActive: sql`NOT ${isActive}` } },
    [upsertOutbox(id, [message])],
  )
  return refused === undefined
}

/** Queues a message of the last 30 days again; a waiting message about the same record becomes due instead. Returns false for an unknown message. */
export async function resendMessage(store: Store, id: string, messageId: string): Promise<boolean> {
  const at = new Date().toISOString()
  const sent = sql`FROM webhook_attempts WHERE webhook_id = ${id} AND message_id = ${messageId}`
  const { refused } = await store.write(
    {
      ...administration,
      unless: {
        noWebhook: sql`NOT ${webhookExists(store, id)}`,
        noMessage: sql`NOT EXISTS (SELECT 1 ${sent})`,
      },
    },
    [
      sql`INSERT INTO webhook_outbox (
          webhook_id, collection, record_id, message_id, type, version, changed, at,
          attempts, first_attempt, due
        )
        SELECT * FROM (
          SELECT webhook_id, collection, record_id, message_id, type, version, changed, at,
            0, ${at}, ${at}
          ${sent} ORDER BY attempted DESC LIMIT 1
        )
        WHERE true
        ON CONFLICT (webhook_id, collection, record_id) DO UPDATE SET due = excluded.due`,
    ],
  )
  return refused === undefined
}

/** Moves the cursor back to send every change since a time again, each record once. Returns false for an unknown webhook. */
export function resendSince(store: Store, id: string, since: string): Promise<boolean> {
  // Within an organisation, a later change has a higher version.
  const lastVersion = (table: SQL, time: SQL) => sql`coalesce((
    SELECT version FROM ${table} WHERE ${ofOrganisation(store)} AND ${time} < ${since}
    ORDER BY version DESC LIMIT 1
  ), 0)`
  const versionBefore = sql`max(${lastVersion(sql`records`, sql`changed`)}, ${lastVersion(sql`deletions`, sql`at`)})`
  return updateWebhook(store, id, {
    action: 'webhook.resent',
    set: sql`cursor = min(cursor, ${versionBefore}), notified = min(notified, ${versionBefore})`,
  })
}
