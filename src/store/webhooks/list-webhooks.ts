import { type SQL, sql } from 'drizzle-orm/sql'
import {
  type Column,
  enumeration,
  flag,
  integer,
  nullable,
  type Selected,
  text,
} from '../columns.ts'
import type { Store } from '../store.ts'
import { managedWebhooks, webhookExists, webhookTerms } from './webhooks.ts'

/** A webhook without its secret. */
export type ListedWebhook = Selected<ReturnType<typeof webhookColumns>>

/** A delivery attempt, with the time of the next one for the same message. */
export type ListedAttempt = Selected<typeof attemptColumns>

const maxListedAttempts = 100

const names = (expression: SQL): Column<string[]> => ({
  expression,
  decode: (value) => String(value).split(','),
})

const webhookColumns = (organisationId: string) => ({
  id: text(sql`id`),
  url: text(sql`url`),
  collections: names(sql`collections`),
  changes: names(sql`changes`),
  state: enumeration<'active' | 'paused' | 'disabled'>(sql`state`),
  reason: nullable(text(sql`reason`)),
  created: text(sql`created`),
  createdBy: text(sql`created_by`),
  keyId: nullable(text(sql`key_id`)),
  failures: integer(sql`failures`),
  lastSuccess: nullable(text(sql`last_success`)),
  waiting: integer(sql`(SELECT count(*) FROM webhook_outbox WHERE webhook_id = webhooks.id)`),
  /** Whether there are changes after `cursor`, the version up to which messages have been made. */
  isBehind: flag(sql`cursor < (SELECT version FROM organisations WHERE id = ${organisationId})`),
})

const attemptColumns = {
  attempted: text(sql`attempted`),
  collection: text(sql`webhook_attempts.collection`),
  recordId: text(sql`webhook_attempts.record_id`),
  messageId: text(sql`webhook_attempts.message_id`),
  type: text(sql`webhook_attempts.type`),
  version: integer(sql`webhook_attempts.version`),
  attempt: integer(sql`attempt`),
  status: nullable(integer(sql`status`)),
  failure: nullable(text(sql`failure`)),
  durationMs: integer(sql`duration_ms`),
  response: text(sql`response`),
  /** When the message is sent again: only the latest attempt of a waiting message has it. */
  next: nullable(text(sql`webhook_outbox.due`)),
}

/** Lists the webhooks that the caller manages, oldest first. */
export async function listWebhooks(store: Store): Promise<ListedWebhook[]> {
  const { rows } = await store.select({
    permissions: webhookTerms(store).permissions,
    rows: {
      columns: webhookColumns(store.organisationId),
      from: sql`FROM webhooks WHERE ${managedWebhooks(store)} ORDER BY created, id`,
    },
  })
  return rows
}

/** Lists the latest attempts of a webhook, newest first. */
export async function listAttempts(store: Store, id: string): Promise<ListedAttempt[]> {
  const { rows } = await store.select({
    rows: {
      columns: attemptColumns,
      from: sql`FROM webhook_attempts LEFT JOIN webhook_outbox
          ON webhook_outbox.webhook_id = webhook_attempts.webhook_id
          AND webhook_outbox.collection = webhook_attempts.collection
          AND webhook_outbox.record_id = webhook_attempts.record_id
          AND webhook_outbox.message_id = webhook_attempts.message_id
          AND webhook_outbox.attempts = webhook_attempts.attempt
        WHERE webhook_attempts.webhook_id = ${id} AND ${webhookExists(store, id)}
        ORDER BY attempted DESC, webhook_attempts.version DESC LIMIT ${maxListedAttempts}`,
    },
  })
  return rows
}
