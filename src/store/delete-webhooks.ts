import { type SQL, sql } from 'drizzle-orm/sql'

/** The SQL statements that delete the webhooks with a condition, and their messages. */
export function deleteWebhooks(condition: SQL): SQL[] {
  const ids = sql`(SELECT id FROM webhooks WHERE ${condition})`
  return [
    sql`DELETE FROM webhook_outbox WHERE webhook_id IN ${ids}`,
    sql`DELETE FROM webhook_attempts WHERE webhook_id IN ${ids}`,
    sql`DELETE FROM webhooks WHERE ${condition}`,
  ]
}
