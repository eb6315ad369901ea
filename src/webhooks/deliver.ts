import { sql } from 'drizzle-orm'
import type { Bindings } from '../platform/bindings.ts'
import { inTime } from '../platform/in-time.ts'
import { loggable } from '../platform/outage.ts'
import { statement } from '../store/statement.ts'
import { localReceivers } from './local-receivers.ts'
import { isDue } from './outbox.ts'
import { type Budget, pump } from './pump.ts'
import { type Outside, outside } from './send.ts'

/** What is sent to the queue when an organisation's records change. */
export type Changed = { organisationId: string }

type Due = { id: string; organisationId: string }

// Of the 10,000 requests an invocation may make, the database needs some.
const mostSent = 5000

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
  // Those that take messages come first, before an invocation's few connections are held by others.
  const due = statement(
    DB,
    sql`SELECT id, organisation_id AS organisationId FROM webhooks
      WHERE ${ofThese} AND ${isDue(now)} ORDER BY failures`,
  )
  const { results } = await inTime(due.all<Due>())
  const parts = { DB, WEBHOOK_KEY, OWN_HOSTS, local: localReceivers in env }
  const budget: Budget = { left: mostSent }
  const pumped = results.map(async (webhook) => {
    const { id, organisationId } = webhook
    try {
      const next = await pump(parts, world, webhook, budget)
      if (next === undefined || next - world.now() >= minute) return
      const delaySeconds = Math.max(0, Math.ceil((next - world.now()) / 1000))
      await CHANGES.send({ organisationId }, { delaySeconds })
    } catch (error) {
      // The next minute tries again: the lease ends, and what was not noted is still to be sent.
      console.error(JSON.stringify({ webhook: id, ...loggable(error as Error) }))
    }
  })
  return { done: Promise.all(pumped) }
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
