import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const webhooks = sqliteTable('webhooks', {
  id: text('id').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  url: text('url').notNull(),
  /** Names separated by commas, like `changes`. */
  collections: text('collections').notNull(),
  changes: text('changes').notNull(),
  /** Encrypted (see webhooks/secret.ts). */
  secret: text('secret').notNull(),
  /** Signs messages too until `previousSecretUntil`, while the receiver changes to the new secret. */
  previousSecret: text('previous_secret'),
  previousSecretUntil: text('previous_secret_until'),
  created: text('created').notNull(),
  createdBy: text('created_by').notNull(),
  state: text('state', { enum: ['active', 'paused', 'disabled'] }).notNull(),
  /** Why it was disabled. */
  reason: text('reason'),
  /** The version in the change feed up to which messages were created. */
  cursor: integer('cursor').notNull(),
  /** The version up to which no change needs a message any more. */
  notified: integer('notified').notNull(),
  /** The number of failed attempts since the last success, and the time of the first. */
  failures: integer('failures').notNull().default(0),
  failingSince: text('failing_since'),
  lastSuccess: text('last_success'),
  /** When the receiver wants the next attempt, by its header `Retry-After`. */
  retryAfter: text('retry_after'),
  /** The random token of the delivery that works on the webhook; another may start after `leaseUntil`. */
  lease: text('lease'),
  leaseUntil: text('lease_until'),
  /** The key that added it over the API and limits what it reads; null for one of the dashboard. */
  keyId: text('key_id'),
})

/** The columns of a message about a record. */
const sent = {
  collection: text('collection').notNull(),
  recordId: text('record_id').notNull(),
  messageId: text('message_id').notNull(),
  type: text('type').notNull(),
  version: integer('version').notNull(),
  /** The changed fields, as a JSON list. */
  changed: text('changed').notNull(),
  /** The time of the change. */
  at: text('at').notNull(),
}

/** Messages that wait for an attempt, at most one per record. */
export const webhookOutbox = sqliteTable(
  'webhook_outbox',
  {
    webhookId: text('webhook_id').notNull(),
    ...sent,
    attempts: integer('attempts').notNull(),
    firstAttempt: text('first_attempt').notNull(),
    due: text('due').notNull(),
  },
  (table) => [primaryKey({ columns: [table.webhookId, table.collection, table.recordId] })],
)

/** The attempts of the last 30 days. */
export const webhookAttempts = sqliteTable(
  'webhook_attempts',
  {
    webhookId: text('webhook_id').notNull(),
    attempted: text('attempted').notNull(),
    ...sent,
    attempt: integer('attempt').notNull(),
    status: integer('status'),
    failure: text('failure'),
    durationMs: integer('duration_ms').notNull(),
    /** The first 1 KiB of the response. */
    response: text('response').notNull(),
  },
  (table) => [primaryKey({ columns: [table.webhookId, table.attempted, table.messageId] })],
)
