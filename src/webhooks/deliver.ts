import { sql } from 'drizzle-orm'
import type { Bindings } from '../platform/bindings.ts'
import { inTime } from '../platform/in-time.ts'
import { loggable } from '../platform/outage.ts'
import { statement } from '../store/statement.ts'
import { Connections } from './connections.ts'
import { localReceivers } from './local-receivers.ts'
import { isDue } from './outbox.ts'
import { type Budget, pump } from './pump.ts'
import { type Outside, outside } from './send.ts'

/** What is sent to the queue when an organisation's records change. */
export type Changed = { organisationId: string }

type Due = { id: string; organisationId: string }

// Of the 10,000 requests an invocation may make, the database needs some.
const mostSent = 5000

// The queue takes so many messages at once.
const mostQueued = 100

// What is due later than that, the minute's schedule finds.
const minute = 60_000

const daysKept = 30

/** Begins to send what there is to send to the webhooks of some organisations, or of all. */
export async function deliver(
  env: Bindings & { [localReceivers]?: true },
  organisations?: readonly string[],
  world: Outside = outside,
): Promise<{ done: Promise<unknown> }> {
  const { DB, WEBHOOK_KEY, OWN_HOSTS, CHANGES } = env
  const now = new Date(world.now()).toISOString()
  const ofThese = organisations
    ? sql`organisation_id IN (SELECT value FROM json_each(${JSON.stringify(organisations)}))`
    : sql`true`
  // Those that take messages, and promptly, come first: an invocation has few connections.
  const due = statement(
    DB,
    sql`SELECT id, organisation_id AS organisationId FROM webhooks
      WHERE ${ofThese} AND ${isDue(now)}
      ORDER BY failures, (
        SELECT milliseconds FROM webhook_attempts WHERE webhook_id = webhooks.id
        ORDER BY tried DESC LIMIT 1
      )`,
  )
  const { results } = await inTime(due.all<Due>())
  const parts = { DB, WEBHOOK_KEY, OWN_HOSTS, local: localReceivers in env }
  const budget: Budget = { left: mostSent }
  const byOrganisation = Map.groupBy(results, ({ organisationId }) => organisationId)
  const connections = new Connections(byOrganisation.keys())

  async function pumpOne(webhook: Due): Promise<void> {
    try {
      const next = await pump(parts, world, connections, webhook, budget)
      if (next === undefined || next - world.now() >= minute) return
      const delaySeconds = Math.max(0, Math.ceil((next - world.now()) / 1000))
      await CHANGES.send({ organisationId: webhook.organisationId }, { delaySeconds })
    } catch (error) {
      // The next minute tries again: the lease ends, and what was not noted is still to be sent.
      console.error(JSON.stringify({ webhook: webhook.id, ...loggable(error as Error) }))
    }
  }

  const pumped = [...byOrganisation].map(async ([organisationId, webhooks]) => {
    await Promise.all(webhooks.map(pumpOne))
    connections.leave(organisationId)
  })
  // What waits for a connection here may find one in another invocation, which takes the lease first.
  const handedOn = queueAll(CHANGES, connections.waiting)
  return { done: Promise.all([...pumped, handedOn]) }
}

/** Queues organisations; a failure is logged, as they have their turn without. */
async function queueAll(queue: Bindings['CHANGES'], organisations: readonly string[]) {
  try {
    for (let start = 0; start < organisations.length; start += mostQueued) {
      const some = organisations.slice(start, start + mostQueued)
      await queue.sendBatch(some.map((organisationId) => ({ body: { organisationId } })))
    }
  } catch (error) {
    console.error(JSON.stringify({ queue: 'changes', ...loggable(error as Error) }))
  }
}

/** Forgets some of the attempts that are older than 30 days. */
export async function forgetAttempts({ DB }: Pick<Bindings, 'DB'>, now: number): Promise<void> {
  const before = new Date(now - daysKept * 24 * 60 * minute).toISOString()
  const forgotten = sql`DELETE FROM webhook_attempts
    WHERE (webhook_id, tried, message_id) IN (
      SELECT webhook_id, tried, message_id
      FROM webhooks CROSS JOIN webhook_attempts ON webhook_id = webhooks.id AND tried < ${before}
      LIMIT 5000
    )`
  await inTime(statement(DB, forgotten).run())
}
