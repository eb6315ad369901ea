import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { ResendForm } from '../../src/dashboard/settings/webhooks/routes.tsx'
import { deleteOldAttempts } from '../../src/store/webhooks/outbox.ts'
import { resendMessage, resendSince } from '../../src/store/webhooks/resend.ts'
import { resumeWebhook } from '../../src/store/webhooks/webhooks.ts'
import { sendTestMessage } from '../../src/webhooks/test-message.ts'
import { failingDatabase } from '../faults/failing-database.ts'
import { muteLog } from '../logs/mute.ts'
import { newOrganisation } from '../organisation.ts'
import {
  advanceClock,
  day,
  holdClock,
  hour,
  minute,
  newReceivers,
  newWebhook,
  ok,
  second,
  status,
} from './receivers.ts'

holdClock()

/** An organisation with a webhook, and what sends to it. */
async function newReceiver() {
  const world = newReceivers()
  const organisation = await newOrganisation()
  const webhook = await newWebhook(world, organisation.id)
  const change = (id: string, name: string) =>
    organisation.put('events', [{ id, document: { name } }])
  const run = () => world.run([organisation.id])
  return { ...world, ...webhook, organisation, change, run, runWith: world.run }
}

/** Advances the clock in steps and delivers due messages after each. */
async function passing(run: () => Promise<unknown>, milliseconds: number, step: number) {
  for (let passed = 0; passed < milliseconds; passed += step) {
    advanceClock(step)
    await run()
  }
}

test('a message that fails is sent again with the same id, at the times that were promised', async () => {
  const { arrived, change, answer, attempts, run, shown, queued, organisation } =
    await newReceiver()
  answer(status(500))
  const begun = Date.now()
  await change('e', 'A')
  await run()
  expect(queued).toEqual([{ organisationId: organisation.id, due: begun + 5 * second }])
  const after: number[] = []
  for (const delay of [
    5 * second,
    5 * minute,
    30 * minute,
    2 * hour,
    5 * hour,
    10 * hour,
    14 * hour,
  ]) {
    advanceClock(delay - 1)
    await run()
    advanceClock(1)
    await run()
    after.push(delay)
  }
  const attempt = await attempts()
  const times = attempt.map(({ attempted }) => Date.parse(attempted)).toReversed()
  expect(times.slice(1).map((time, index) => time - (times[index] ?? 0))).toEqual(after)
  expect(new Set(arrived.map(({ id }) => id)).size).toBe(1)
  expect(attempt[0]).toMatchObject({
    attempt: 8,
    status: 500,
    failure: 'The receiver rejected the message.',
  })
  expect(Date.parse(attempt[0]?.next ?? '') - Date.now()).toBe(20 * hour)
  expect(await shown()).toMatchObject({ failures: 8, waiting: 1, state: 'active' })
})

test('a receiver that comes back gets everything, each record with its last change', async () => {
  const { taken, change, answer, run, attempts, shown } = await newReceiver()
  await change('a', '1')
  await run()
  answer(() => Promise.reject(new TypeError('Nobody is there.')))
  for (const name of ['2', '3', '4']) {
    for (const id of ['a', 'b', 'c']) await change(id, name)
    await run()
    advanceClock(hour)
  }
  expect((await attempts())[0]).toMatchObject({
    status: null,
    failure: 'The connection failed.',
  })
  answer(ok)
  await change('d', '1')
  await run()
  const last = new Map(taken.map(({ type, data }) => [data.id, [type, data.version]]))
  expect(Object.fromEntries(last)).toEqual({
    a: ['event.updated', 8],
    b: ['event.created', 9],
    c: ['event.created', 10],
    d: ['event.created', 11],
  })
  expect(await shown()).toMatchObject({ failures: 0, waiting: 0, isBehind: false })
})

test('a later message of a record includes the fields of a failed one', async () => {
  const { taken, organisation, answer, run } = await newReceiver()
  const write = (document: object) => organisation.put('events', [{ id: 'e', document }])
  await write({ name: 'A', tags: 'a' })
  await run()
  answer(status(500))
  await write({ name: 'B', tags: 'a' })
  await run()
  answer(ok)
  await write({ name: 'B', tags: 'b' })
  await run()
  advanceClock(hour)
  await run()
  expect(taken.map(({ data }) => data.changed.toSorted())).toEqual([
    ['name', 'tags'],
    ['name', 'tags'],
  ])
})

test('a rejected message does not delay others and is dropped after three days', async () => {
  const { taken, arrived, change, answer, run, shown } = await newReceiver()
  answer(async (request) =>
    (await request.text()).includes('"id":"bad"') ? status(400)(request) : ok(request),
  )
  await change('bad', '1')
  for (const id of ['a', 'b']) await change(id, '1')
  await run()
  expect(taken.map(({ data }) => data.id)).toEqual(['a', 'b'])
  let name = 0
  const others = async () => {
    await change('a', `${name++}`)
    await run()
  }
  await passing(others, 5 * day, 4 * hour)
  expect(arrived.filter(({ data }) => data.id === 'bad').length).toBeGreaterThanOrEqual(10)
  expect(await shown()).toMatchObject({ waiting: 0, state: 'active' })
})

test('a receiver that answers 410 is sent nothing more until somebody resumes it', async () => {
  const { arrived, taken, change, answer, run, shown, store, id } = await newReceiver()
  const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
  answer(status(410))
  await change('a', '1')
  await change('b', '1')
  await run()
  await passing(run, day, hour)
  expect(arrived).toHaveLength(1)
  expect(await shown()).toMatchObject({
    state: 'disabled',
    reason: 'The receiver answered 410 Gone.',
  })
  expect(warnings.mock.calls.map(([line]) => JSON.parse(line))).toEqual([
    {
      event: 'webhook-disabled',
      organisation: store.organisationId,
      webhook: id,
      reason: 'The receiver answered 410 Gone.',
    },
  ])
  answer(ok)
  await resumeWebhook(store, id)
  await run()
  expect(taken.map(({ data }) => data.id).toSorted()).toEqual(['a', 'b'])
  expect(await shown()).toMatchObject({ state: 'active', reason: null })
})

test('five days without a success disable, and nothing is lost', async () => {
  muteLog('warn')
  const { taken, change, answer, run, shown, store, id } = await newReceiver()
  answer(status(503))
  await change('a', '1')
  await run()
  await passing(run, 5 * day - hour, hour)
  expect(await shown()).toMatchObject({ state: 'active' })
  await passing(run, day, hour)
  expect(await shown()).toMatchObject({
    state: 'disabled',
    reason: 'Nothing was delivered for five days.',
  })
  await change('b', '1')
  answer(ok)
  await resumeWebhook(store, id)
  await run()
  expect(taken.map(({ data }) => data.id)).toEqual(['a', 'b'])
})

test.each([
  ['seconds', () => '600', 10 * minute],
  ['a date', () => new Date(Date.now() + 20 * minute).toUTCString(), 20 * minute - second],
  ['ages, for a day', () => '9999999', day],
])('Retry-After is obeyed: %s', async (_, header, wait) => {
  const { arrived, change, answer, run } = await newReceiver()
  answer(status(429, { 'Retry-After': header() }))
  await change('a', '1')
  await run()
  await change('b', '1')
  answer(ok)
  advanceClock(wait - second)
  await run()
  expect(arrived).toHaveLength(1)
  advanceClock(2 * second)
  await run()
  expect(arrived.slice(1).map(({ data }) => data.id)).toEqual(['a', 'b'])
})

test('a receiver that hangs times out and does not delay others', async () => {
  const { run, expire, ...world } = newReceivers()
  const [slow, quick] = [await newOrganisation(), await newOrganisation()]
  const hanging = await newWebhook(world, slow.id)
  const beside = await newWebhook(world, slow.id)
  const other = await newWebhook(world, quick.id)
  hanging.answer(() => new Promise(() => {}))
  for (const { put } of [slow, quick]) await put('events', [{ id: 'a', document: {} }])
  const running = run()
  await vi.waitFor(() =>
    expect([hanging, beside, other].map((it) => it.arrived.length)).toEqual([1, 1, 1]),
  )
  await quick.put('events', [{ id: 'b', document: {} }])
  await slow.put('events', [{ id: 'b', document: {} }])
  await run()
  expect([beside, other].map((it) => it.taken.length)).toEqual([2, 2])
  // A second delivery must not start: it could overtake the current one.
  expect(hanging.arrived).toHaveLength(1)
  hanging.answer(status(500))
  expire()
  await running
  expect((await hanging.attempts()).at(-1)).toMatchObject({
    failure: 'No response within 15 seconds.',
  })
})

test('keeps the first kilobyte of an endless response', async () => {
  const { change, answer, run, attempts } = await newReceiver()
  answer(
    () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new TextEncoder().encode('é'.repeat(100))),
        }),
      ),
  )
  await change('a', '1')
  await run()
  expect(await attempts()).toMatchObject([{ status: 200, response: 'é'.repeat(512) }])
})

test('an address that is not good any more is not sent to', async () => {
  const { arrived, change, bindings, run, attempts } = await newReceiver()
  Object.assign(bindings, { OWN_HOSTS: 'another.org.uk,hooks.charity.org.uk' })
  await change('a', '1')
  await run()
  expect(arrived).toEqual([])
  const failure = 'Not sent: the address must not be an address of this service.'
  expect(await attempts()).toMatchObject([{ status: null, failure }])
})

test('a redirect is a failure', async () => {
  const { change, answer, run, attempts } = await newReceiver()
  answer(status(308, { Location: 'https://elsewhere.charity.org.uk/' }))
  await change('a', '1')
  await run()
  const failure = 'Redirects are not followed.'
  expect(await attempts()).toMatchObject([{ status: 308, failure, next: expect.any(String) }])
})

test('an unrecorded delivery is sent again after an interruption at any point', async () => {
  for (const fault of ['lost after', 'stalled'] as const) {
    for (let broken = 0, errors = 1; errors > 0; broken++) {
      const { organisation, change, run, runWith, taken } = await newReceiver()
      const faulty = failingDatabase(fault, (call) => call === broken)
      const ids = Array.from({ length: 5 }, (_, n) => `${n}`)
      for (const id of ids) await change(id, '1')
      const running = runWith([organisation.id], faulty.DB).catch(() => {})
      // A stalled delivery counts as killed.
      await Promise.race([running, vi.waitUntil(() => faulty.happened.waiting > 0)])
      errors = faulty.happened.errors
      advanceClock(3 * minute)
      await run()
      const versions = new Map(taken.map(({ id, data }) => [data.id, id]))
      expect([...versions.keys()].toSorted()).toEqual(ids)
      expect(new Set(taken.map(({ id }) => id)).size).toBe(5)
    }
  }
})

test('an unrecorded delivery is not followed by an earlier change of the record', async () => {
  const { arrived, change, answer, run, runWith, organisation } = await newReceiver()
  answer(status(500))
  await change('e', 'A')
  await run()
  answer(ok)
  await change('e', 'B')
  // The calls look for due webhooks, take the lease and save the result.
  const { DB } = failingDatabase('lost before', (call) => call === 2)
  await runWith([organisation.id], DB)
  advanceClock(day)
  await run()
  const [first = 0, ...others] = arrived.map(({ data }) => data.version)
  expect(others).toEqual([first + 1, first + 1])
})

test('what the queue loses the schedule finds', async () => {
  const { arrived, change, runWith, organisation } = await newReceiver()
  await change('a', '1')
  expect(arrived).toEqual([])
  await runWith()
  expect(arrived.map(({ data }) => data.organisationId)).toEqual([organisation.id])
})

test('a test message, one again, and all since a time are sent when they are asked for', async () => {
  const { arrived, change, run, store, id, attempts, organisation } = await newReceiver()
  const messageId = await sendTestMessage(store, id)
  await run()
  expect(arrived.splice(0)).toEqual([
    {
      id: messageId,
      type: 'webhook.test',
      timestamp: expect.any(String),
      data: { organisationId: organisation.id },
    },
  ])
  await change('a', '1')
  advanceClock(hour)
  const since = new Date().toISOString()
  await change('b', '1')
  await change('c', '1')
  await run()
  const [, , first] = await attempts()
  expect(first?.recordId).toBe('a')
  const before = arrived.splice(0)
  expect(await resendMessage(store, id, String(first?.messageId))).toBe(true)
  expect(await resendMessage(store, id, 'msg_nothing')).toBe(false)
  await run()
  expect(arrived.splice(0)).toEqual([before[0]])
  expect(await resendSince(store, id, since)).toBe(true)
  await run()
  expect(arrived).toEqual(before.slice(1))
})

test.each([
  ['2026-01-01T12:30', '2026-01-01T12:30:00.000Z'],
  ['2026-07-01T12:30', '2026-07-01T11:30:00.000Z'],
  ['2026-03-29T01:30', undefined],
  ['2026-02-30T12:30', undefined],
  ['', undefined],
])('a form says that all since %s in the United Kingdom is sent again: %s', (time, since) => {
  expect(ResendForm.safeParse({ since: time }).data?.since).toBe(since)
})

test('attempts are forgotten after 30 days', async () => {
  const { change, run, attempts } = await newReceiver()
  await change('a', '1')
  await run()
  await deleteOldAttempts(env.DB, Date.now() + 29 * day)
  expect(await attempts()).toHaveLength(1)
  await deleteOldAttempts(env.DB, Date.now() + 31 * day)
  expect(await attempts()).toEqual([])
})
