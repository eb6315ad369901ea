import { and, asc, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { webhookAttempts, webhookOutbox, webhooks } from '../store/webhook-tables.ts'

/** A webhook without its secret. */
export type ListedWebhook = Pick<
  typeof webhooks.$inferSelect,
  'id' | 'url' | 'state' | 'reason' | 'created' | 'createdBy' | 'failures' | 'lastSuccess'
> & { collections: string[]; changes: string[]; waiting: number; isBehind: boolean }

/** A delivery attempt, with the time of the next one for the same message. */
export type ListedAttempt = Omit<
  typeof webhookAttempts.$inferSelect,
  'webhookId' | 'changed' | 'at'
> & {
  next: string | null
}

const maxListedAttempts = 100

/** Lists the webhooks of an organisation, oldest first. */
export async function listWebhooks(
  DB: D1Database,
  organisationId: string,
): Promise<ListedWebhook[]> {
  const outboxSize = sql`(SELECT count(*) FROM webhook_outbox WHERE webhook_id = ${webhooks.id})`
  const newestVersion = sql`(SELECT version FROM organisations WHERE id = ${organisationId})`
  const rows = await drizzle(DB)
    .select({
      id: webhooks.id,
      url: webhooks.url,
      collections: webhooks.collections,
      changes: webhooks.changes,
      state: webhooks.state,
      reason: webhooks.reason,
      created: webhooks.created,
      createdBy: webhooks.createdBy,
      failures: webhooks.failures,
      lastSuccess: webhooks.lastSuccess,
      waiting: sql<number>`${outboxSize}`,
      isBehind: sql<number>`${webhooks.cursor} < ${newestVersion}`,
    })
    .from(webhooks)
    .where(eq(webhooks.organisationId, organisationId))
    .orderBy(asc(webhooks.created), asc(webhooks.id))
  return rows.map((row) => ({
    ...row,
    collections: row.collections.split(','),
    changes: row.changes.split(','),
    isBehind: row.isBehind === 1,
  }))
}

/** Lists the latest attempts of a webhook, newest first. */
export async function listAttempts(DB: D1Database, id: string): Promise<ListedAttempt[]> {
  const { webhookId, changed, at, ...columns } = getTableColumns(webhookAttempts)
  const hasRetry = and(
    eq(webhookOutbox.webhookId, webhookAttempts.webhookId),
    eq(webhookOutbox.collection, webhookAttempts.collection),
    eq(webhookOutbox.recordId, webhookAttempts.recordId),
    eq(webhookOutbox.messageId, webhookAttempts.messageId),
    eq(webhookOutbox.attempts, webhookAttempts.attempt),
  )
  return drizzle(DB)
    .select({ ...columns, next: webhookOutbox.due })
    .from(webhookAttempts)
    .leftJoin(webhookOutbox, hasRetry)
    .where(eq(webhookAttempts.webhookId, id))
    .orderBy(desc(webhookAttempts.attempted), desc(webhookAttempts.version))
    .limit(maxListedAttempts)
}
