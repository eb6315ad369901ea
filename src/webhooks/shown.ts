import { and, asc, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { inTime } from '../platform/in-time.ts'
import { webhookAttempts, webhooks, webhookWaiting } from '../store/tables.ts'

/** What may be shown of a webhook: not its secret. */
export type ShownWebhook = Pick<
  typeof webhooks.$inferSelect,
  'id' | 'url' | 'state' | 'reason' | 'created' | 'createdBy' | 'failures' | 'lastSuccess'
> & { collections: string[]; changes: string[]; waiting: number; isBehind: boolean }

/** An attempt to deliver a message, and when it will be tried again. */
export type ShownAttempt = Omit<
  typeof webhookAttempts.$inferSelect,
  'webhookId' | 'changed' | 'at'
> & {
  next: string | null
}

const mostShown = 100

/** The webhooks of an organisation, oldest first. */
export async function listWebhooks(
  DB: D1Database,
  organisationId: string,
): Promise<ShownWebhook[]> {
  const ofThis = sql`(SELECT count(*) FROM webhook_waiting WHERE webhook_id = ${webhooks.id})`
  const newest = sql`(SELECT version FROM organisations WHERE id = ${organisationId})`
  const found = await inTime(
    drizzle(DB)
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
        waiting: sql<number>`${ofThis}`,
        isBehind: sql<number>`${webhooks.cursor} < ${newest}`,
      })
      .from(webhooks)
      .where(eq(webhooks.organisationId, organisationId))
      .orderBy(asc(webhooks.created), asc(webhooks.id)),
  )
  return found.map((it) => ({
    ...it,
    collections: it.collections.split(','),
    changes: it.changes.split(','),
    isBehind: it.isBehind === 1,
  }))
}

/** The latest attempts of a webhook, newest first, of the last 30 days. */
export async function listAttempts(DB: D1Database, id: string): Promise<ShownAttempt[]> {
  const { webhookId, changed, at, ...shown } = getTableColumns(webhookAttempts)
  const waits = and(
    eq(webhookWaiting.webhookId, webhookAttempts.webhookId),
    eq(webhookWaiting.collection, webhookAttempts.collection),
    eq(webhookWaiting.recordId, webhookAttempts.recordId),
    eq(webhookWaiting.messageId, webhookAttempts.messageId),
    eq(webhookWaiting.attempts, webhookAttempts.attempt),
  )
  return inTime(
    drizzle(DB)
      .select({ ...shown, next: webhookWaiting.due })
      .from(webhookAttempts)
      .leftJoin(webhookWaiting, waits)
      .where(eq(webhookAttempts.webhookId, id))
      .orderBy(desc(webhookAttempts.tried), desc(webhookAttempts.version))
      .limit(mostShown),
  )
}
