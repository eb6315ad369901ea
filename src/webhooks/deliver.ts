import { sql } from 'drizzle-orm/sql'
import type { Bindings } from '../platform/bindings.ts'
import { logError } from '../platform/log.ts'
import { withTimeout } from '../platform/timeout.ts'
import { statement } from '../store/statement.ts'
import { Connections } from './connections.ts'
import { allowsLocalReceivers } from './local-receivers.ts'
import { isDue } from './outbox.ts'
import { type Budget, runDeliveries } from './run-deliveries.ts'
import { defaultEnvironment, type Environment } from './send.ts'

/** The queue message for an organisation with changed records. */
export type ChangeEvent = { organisationId: string }

type DueWebhook = { id: string; organisationId: string }

// An invocation may make 10,000 requests, and the database needs some of them.
const maxMessages = 5000

// Cloudflare's limit for a batch of queue messages.
const maxQueueBatch = 100

// Later messages wait for the schedule, which runs each minute.
const minuteMs = 60_000

const retentionDays = 30

/** Starts the deliveries that are due, for some or all organisations. */
export async function deliver(
  env: Bindings & { [allowsLocalReceivers]?: true },
  organisations?: readonly string[],
  environment: Environment = defaultEnvironment,
): Promise<{ done: Promise<unknown> }> {
  const { DB, WEBHOOK_KEY, WEBHOOK_KEY_NEXT, OWN_HOSTS, CHANGES } = env
  const now = new Date(environment.now()).toISOString()
  const organisationFilter = organisations
    ? sql`organisation_id IN (SELECT value FROM json_each(${JSON.stringify(organisations)}))`
    : sql`true`
  // Fast and healthy receivers come first: an invocation has few connections.
  const due = statement(
    DB,
    sql`SELECT id, organisation_id AS organisationId FROM webhooks
      WHERE ${organisationFilter} AND ${isDue(now)}
      ORDER BY failures, (
        SELECT duration_ms FROM webhook_attempts WHERE webhook_id = webhooks.id
        ORDER BY attempted DESC LIMIT 1
      )`,
  )
  const { results } = await withTimeout(due.all<DueWebhook>())
  const keys = { WEBHOOK_KEY, WEBHOOK_KEY_NEXT }
  const context = { DB, ...keys, OWN_HOSTS, allowsLocal: allowsLocalReceivers in env }
  const budget: Budget = { remaining: maxMessages }
  const byOrganisation = Map.groupBy(results, ({ organisationId }) => organisationId)
  const connections = new Connections(byOrganisation.keys())

  async function deliverWebhook(webhook: DueWebhook): Promise<void> {
    try {
      const nextDue = await runDeliveries(context, environment, connections, webhook, budget)
      if (nextDue === undefined || nextDue - environment.now() >= minuteMs) return
      const delaySeconds = Math.max(0, Math.ceil((nextDue - environment.now()) / 1000))
      await CHANGES.send({ organisationId: webhook.organisationId }, { delaySeconds })
    } catch (error) {
      // The schedule retries: the lease expires, and messages without a saved result remain.
      const { id, organisationId } = webhook
      logError('webhook', { organisation: organisationId, webhook: id }, error)
    }
  }

  const deliveries = [...byOrganisation].map(async ([organisationId, webhooks]) => {
    await Promise.all(webhooks.map(deliverWebhook))
    connections.leave(organisationId)
  })
  // Another invocation may have free connections for waiting organisations.
  const requeued = requeue(CHANGES, connections.waitingOrganisations)
  return { done: Promise.all([...deliveries, requeued]) }
}

/** Queues organisations again. Logs failures only, because the schedule finds these organisations too. */
async function requeue(queue: Bindings['CHANGES'], organisations: readonly string[]) {
  try {
    for (let start = 0; start < organisations.length; start += maxQueueBatch) {
      const batch = organisations.slice(start, start + maxQueueBatch)
      await queue.sendBatch(batch.map((organisationId) => ({ body: { organisationId } })))
    }
  } catch (error) {
    logError('queue', {}, error)
  }
}

/** Deletes up to 5,000 attempts that are older than 30 days. */
export async function deleteOldAttempts({ DB }: Pick<Bindings, 'DB'>, now: number): Promise<void> {
  const cutoff = new Date(now - retentionDays * 24 * 60 * minuteMs).toISOString()
  const query = sql`DELETE FROM webhook_attempts
    WHERE (webhook_id, attempted, message_id) IN (
      SELECT webhook_id, attempted, message_id
      FROM webhooks CROSS JOIN webhook_attempts ON webhook_id = webhooks.id AND attempted < ${cutoff}
      LIMIT 5000
    )`
  await withTimeout(statement(DB, query).run())
}
