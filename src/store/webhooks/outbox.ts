import { type SQL, sql } from 'drizzle-orm/sql'
import { statement } from '../statement.ts'
import type { Attempt, OutboxMessage } from './messages.ts'

/** The outbox size at which a webhook takes no new entries from the feed. */
export const maxOutboxMessages = 100

const retentionDays = 30
const dayMs = 24 * 60 * 60 * 1000

const messageColumns = ['collection', 'record_id', 'message_id', 'type', 'version', 'changed', 'at']

const outboxColumns = [...messageColumns, 'attempts', 'first_attempt', 'due']

const attemptColumns = [
  ...messageColumns,
  ...['attempted', 'attempt', 'status', 'failure', 'duration_ms', 'response'],
]

/** SQL that adds messages to the outbox. Each replaces a waiting message about the same record. */
export const upsertOutbox = (
  id: string,
  messages: readonly OutboxMessage[],
  condition = sql`true`,
): SQL =>
  sql`INSERT INTO webhook_outbox (webhook_id, ${sql.raw(outboxColumns.join(', '))})
    SELECT ${id}, ${jsonValues(outboxColumns)} FROM json_each(${JSON.stringify(messages)}) WHERE ${condition}
    ON CONFLICT (webhook_id, collection, record_id) DO UPDATE SET
      message_id = excluded.message_id, type = excluded.type, version = excluded.version,
      changed = excluded.changed, at = excluded.at, attempts = excluded.attempts,
      first_attempt = excluded.first_attempt, due = excluded.due
    WHERE excluded.version >= webhook_outbox.version`

/** SQL that saves the attempts of a webhook, unless it was removed in the meantime. */
export const insertAttempts = (id: string, attempts: readonly Attempt[]): SQL =>
  sql`INSERT OR IGNORE INTO webhook_attempts (webhook_id, ${sql.raw(attemptColumns.join(', '))})
    SELECT ${id}, ${jsonValues(attemptColumns)} FROM json_each(${JSON.stringify(attempts)})
    WHERE EXISTS (SELECT 1 FROM webhooks WHERE id = ${id})`

/** Deletes up to 5,000 attempts that are older than 30 days. */
export async function deleteOldAttempts(d1: D1Database, now: number): Promise<void> {
  const cutoff = new Date(now - retentionDays * dayMs).toISOString()
  const query = sql`DELETE FROM webhook_attempts
    WHERE (webhook_id, attempted, message_id) IN (
      SELECT webhook_id, attempted, message_id
      FROM webhooks CROSS JOIN webhook_attempts ON webhook_id = webhooks.id AND attempted < ${cutoff}
      LIMIT 5000
    )`
  await statement(d1, query).run()
}

/** SQL that reads columns from the camel-case properties of a JSON element. */
const jsonValues = (columns: readonly string[]): SQL =>
  sql.raw(columns.map((column) => `value ->> '$.${toCamelCase(column)}'`).join(', '))

const toCamelCase = (column: string) =>
  column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
