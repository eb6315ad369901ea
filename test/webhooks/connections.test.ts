import { expect, test, vi } from 'vitest'
import { maxConnections } from '../../src/webhooks/connections.ts'
import wranglerToml from '../../wrangler.toml?raw'
import { newOrganisation } from '../organisation.ts'
import { rows } from '../store/whole-index.ts'
import { advanceClock, holdClock, newReceivers, newWebhook, ok, second } from './receivers.ts'

holdClock()

type World = ReturnType<typeof newReceivers>

/** An organisation with webhooks and changed events. */
async function newSender(world: World, webhookCount = 1) {
  const { id, put } = await newOrganisation()
  const webhooks = await Promise.all(
    Array.from({ length: webhookCount }, () => newWebhook(world, id)),
  )
  const change = (...ids: string[]) =>
    put(
      'events',
      ids.map((id) => ({ id, document: { at: Date.now() } })),
    )
  await change('a')
  const arrivals = () => webhooks.flatMap(({ arrived }) => arrived).length
  return { id, webhooks, change, arrivals }
}

type Sender = Awaited<ReturnType<typeof newSender>>

const newSenders = (world: World, count: number) =>
  Promise.all(Array.from({ length: count }, () => newSender(world)))

const idsOf = (senders: readonly Sender[]) => senders.map(({ id }) => id)

const arrivalsOf = (senders: readonly Sender[]) =>
  senders.reduce((sum, { arrivals }) => sum + arrivals(), 0)

function hang(...senders: readonly Sender[]) {
  for (const { answer } of senders.flatMap(({ webhooks }) => webhooks))
    answer(() => new Promise(() => {}))
}

/** Orders receivers by their number of failures. */
const putLast = (...senders: readonly Sender[]) =>
  rows(
    'UPDATE webhooks SET failures = 1 WHERE organisation_id IN (SELECT value FROM json_each(?))',
    JSON.stringify(idsOf(senders)),
  )

/** Ends the attempts that hang, until nothing is sent any more. */
async function endAll({ expire }: World, running: Promise<unknown>) {
  let isDone = false
  const settled = running.finally(() => {
    isDone = true
  })
  await vi.waitUntil(() => {
    expire()
    return isDone
  })
  await settled
}

test('an organisation with twenty receivers that hang leaves the others their connections', async () => {
  const world = newReceivers()
  const slow = await newSender(world, 20)
  const others = await newSenders(world, maxConnections - 1)
  hang(slow, ...others)
  const running = world.run(idsOf([slow, ...others]))
  await vi.waitUntil(() => arrivalsOf([slow, ...others]) === maxConnections)
  expect(others.map(({ arrivals }) => arrivals())).toEqual(others.map(() => 1))
  await endAll(world, running)
})

test('an organisation alone has no more connections than leave one to the database', async () => {
  const world = newReceivers()
  const slow = await newSender(world, 2 * maxConnections)
  hang(slow)
  const running = world.run([slow.id])
  await vi.waitUntil(() => slow.arrivals() === maxConnections)
  expect(world.queued.map(({ organisationId }) => organisationId)).toEqual([slow.id])
  await endAll(world, running)
})

test('organisations that wait for the receivers of others are sent to by further invocations, and fail no attempt', async () => {
  const world = newReceivers()
  const slow = await newSenders(world, 20)
  const other = await newSender(world)
  hang(...slow)
  const all = [...slow, other]
  const first = world.run(idsOf(all))
  await vi.waitUntil(() => arrivalsOf(all) === maxConnections)
  const waiting = all.filter(({ arrivals }) => arrivals() === 0)
  const queued = world.queued.map(({ organisationId }) => organisationId)
  expect(queued.toSorted()).toEqual(idsOf(waiting).toSorted())
  const running = [first]
  for (let start = 0; start < queued.length; start += maxConnections)
    running.push(world.run(queued.slice(start, start + maxConnections)))
  await vi.waitUntil(() => arrivalsOf(all) === all.length)
  expect(await other.webhooks[0]?.attempts()).toMatchObject([{ status: 200, failure: null }])
  await endAll(world, Promise.all(running))
})

test('time spent waiting for a connection is no part of an attempt', async () => {
  const world = newReceivers()
  const slow = await newSenders(world, maxConnections)
  const other = await newSender(world)
  hang(...slow)
  await putLast(other)
  const running = world.run(idsOf([...slow, other]))
  await vi.waitUntil(() => arrivalsOf(slow) === maxConnections)
  advanceClock(15 * second)
  world.expire()
  await running
  expect(await other.webhooks[0]?.attempts()).toMatchObject([
    { status: 200, failure: null, durationMs: 0, attempted: new Date().toISOString() },
  ])
})

test('a slow receiver comes after the others', async () => {
  const world = newReceivers()
  const slow = await newSenders(world, 20)
  const other = await newSender(world)
  for (const { answer } of slow.flatMap(({ webhooks }) => webhooks))
    answer((request) => {
      advanceClock(10 * second)
      return ok(request)
    })
  await world.run(idsOf([...slow, other]))
  expect(arrivalsOf([...slow, other])).toBe(21)
  hang(...slow)
  for (const { change } of [...slow, other]) await change('b')
  const running = world.run(idsOf([...slow, other]))
  await vi.waitUntil(() => other.arrivals() === 2)
  await endAll(world, running)
})

test('a receiver with much to take lets another have its turn', async () => {
  const world = newReceivers()
  const slow = await newSenders(world, maxConnections - 1)
  const both = await newSenders(world, 2)
  const order: string[] = []
  hang(...slow)
  for (const { id, webhooks, change } of both) {
    await change('b', 'c')
    webhooks[0]?.answer((request) => {
      order.push(id)
      advanceClock(15 * second)
      return ok(request)
    })
  }
  await putLast(...both)
  const running = world.run(idsOf([...slow, ...both]))
  await vi.waitUntil(() => order.length === 6)
  const [first, next] = order
  expect(first).not.toBe(next)
  expect(order).toEqual([first, next, first, next, first, next])
  await endAll(world, running)
})

test('a receiver that becomes slow is still leased when the round ends, over one connection too', async () => {
  const world = newReceivers()
  const slow = await newSenders(world, maxConnections - 1)
  const other = await newSender(world)
  hang(...slow)
  await other.change(...Array.from({ length: 60 }, (_, n) => `${n}`))
  const leases: boolean[] = []
  other.webhooks[0]?.answer(async (request) => {
    const sql = 'SELECT lease_until AS until FROM webhooks WHERE organisation_id = ?'
    const [webhook] = await rows(sql, other.id)
    leases.push(Date.parse(String(webhook?.until)) > Date.now())
    if (leases.length > 20) advanceClock(15 * second)
    return ok(request)
  })
  const running = world.run(idsOf([...slow, other]))
  await vi.waitUntil(() => other.arrivals() === 61)
  expect(leases).toEqual(leases.map(() => true))
  await endAll(world, running)
})

test('a batch of the queue names no more organisations than there are connections', () => {
  const sizes = [...wranglerToml.matchAll(/^max_batch_size = (\d+)$/gm)].map(
    ([, size]) => +`${size}`,
  )
  expect(sizes).toHaveLength(3)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(maxConnections)
})
