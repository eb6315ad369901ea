import type { Bindings } from '../platform/bindings.ts'
import { tolerate } from '../platform/log.ts'
import { listDatabases } from '../store/databases.ts'
import { type DueWebhook, findDueWebhooks } from '../store/webhooks/leases.ts'
import { Connections } from './connections.ts'
import { allowsLocalReceivers } from './local-receivers.ts'
import { type Budget, runDeliveries } from './run-deliveries.ts'
import { defaultEnvironment, type Environment } from './send.ts'

/** The queue message for an organisation with changed records. */
export type ChangeEvent = { organisationId: string }

/** A webhook with messages to send, and its database. */
type DueHere = DueWebhook & { DB: D1Database }

// An invocation may make 10,000 requests, and the database needs some of them.
const maxMessages = 5000

// Cloudflare's limit for a batch of queue messages.
const maxQueueBatch = 100

// Later messages wait for the schedule, which runs each minute.
const minuteMs = 60_000

/** Starts the deliveries that are due in all databases, for some or all organisations. */
export async function deliver(
  env: Bindings & { [allowsLocalReceivers]?: true },
  organisations?: readonly string[],
  environment: Environment = defaultEnvironment,
): Promise<{ done: Promise<unknown> }> {
  const { WEBHOOK_KEY, WEBHOOK_KEY_NEXT, OWN_HOSTS, CHANGES } = env
  const now = new Date(environment.now()).toISOString()
  const due = await Promise.all(
    listDatabases(env).map(([database, DB]) =>
      tolerate('webhook', { database }, async () =>
        (await findDueWebhooks(DB, now, organisations)).map((webhook) => ({ ...webhook, DB })),
      ),
    ),
  )
  const keys = { WEBHOOK_KEY, WEBHOOK_KEY_NEXT }
  const context = { ...keys, OWN_HOSTS, allowsLocal: allowsLocalReceivers in env }
  const budget: Budget = { remaining: maxMessages }
  const byOrganisation = Map.groupBy(
    due.flatMap((webhooks) => webhooks ?? []).toSorted(byReceiver),
    ({ organisationId }) => organisationId,
  )
  const connections = new Connections(byOrganisation.keys())

  async function deliverWebhook({ DB, ...webhook }: DueHere): Promise<void> {
    const delivery = { ...context, DB }
    const nextDue = await runDeliveries(delivery, environment, connections, webhook, budget)
    if (nextDue === undefined || nextDue - environment.now() >= minuteMs) return
    const delaySeconds = Math.max(0, Math.ceil((nextDue - environment.now()) / 1000))
    await CHANGES.send({ organisationId: webhook.organisationId }, { delaySeconds })
  }

  const deliveries = [...byOrganisation].map(async ([organisationId, webhooks]) => {
    // The schedule retries: the lease expires, and messages without a saved result remain.
    const tolerant = (webhook: DueHere) =>
      tolerate('webhook', { organisation: organisationId, webhook: webhook.id }, () =>
        deliverWebhook(webhook),
      )
    await Promise.all(webhooks.map(tolerant))
    connections.leave(organisationId)
  })
  // Another invocation may have free connections for waiting organisations. The schedule finds them too.
  const requeued = tolerate('queue', {}, () => requeue(CHANGES, connections.waitingOrganisations))
  return { done: Promise.all([...deliveries, requeued]) }
}

// Fast and healthy receivers come first: an invocation has few connections.
const byReceiver = (a: DueWebhook, b: DueWebhook) =>
  a.failures - b.failures || (a.durationMs ?? 0) - (b.durationMs ?? 0)

/** Queues organisations again. */
async function requeue(queue: Bindings['CHANGES'], organisations: readonly string[]) {
  for (let start = 0; start < organisations.length; start += maxQueueBatch) {
    const batch = organisations.slice(start, start + maxQueueBatch)
    await queue.sendBatch(batch.map((organisationId) => ({ body: { organisationId } })))
  }
}
