import { expect, test } from 'vitest'
import { newOrganisation } from '../organisation.ts'
import { newWriter } from '../resources/writing.ts'
import {
  advanceUntilAnswered,
  expectUnavailable,
  type Fault,
  failingDatabase,
  holdClock,
  requestWith,
} from './failing-database.ts'

const fields = [
  { id: 'Full Name', name: 'Full Name', label: 'Name', type: 'text', order: 0 },
  { id: 'Number', name: 'Number', label: 'Number', type: 'uniqueId', order: 1 },
]

holdClock()

const errors: Fault[] = [
  ...(['lost before', 'lost after', 'overloaded before', 'overloaded after'] as const),
  'stalled',
]
const paths = ['/events', '/members', '/bookings', '/members/m', '/schemas/:id']

test.each(errors)('a read with %s database calls is complete or 503', async (fault) => {
  const { id, key, put, schema } = await newOrganisation()
  await schema('members', fields)
  await put('members', [{ id: 'm', document: { 'Full Name': 'Ada' } }])
  const init = { headers: { 'x-api-key': key } }
  for (const path of paths.map((path) => path.replace(':id', id))) {
    const good = await (await requestWith({}, path, init)).text()
    const isRetried = fault.startsWith('lost')
    const once = failingDatabase(fault, (call) => call === 0)
    const answer = await advanceUntilAnswered(
      requestWith({ DB: once.DB }, path, init),
      once.happened,
    )
    if (isRetried) expect([answer.status, await answer.text()]).toEqual([200, good])
    else await expectUnavailable(answer)
    const always = failingDatabase(fault, () => true)
    await expectUnavailable(
      await advanceUntilAnswered(requestWith({ DB: always.DB }, path, init), always.happened),
    )
    const attempts = isRetried ? 2 : 1
    expect([once.happened.errors, always.happened.errors]).toEqual([1, attempts])
  }
})

/** A unique value prevents a duplicate even without an idempotency key. */
const bodies = ['{"Full Name":"Ada"}', '{"Full Name":"Ada","Number":"1"}']

/** An organisation, and the request that creates a member of it once. */
async function creation(body: string) {
  const { key, json, schema } = await newOrganisation()
  await schema('members', fields)
  const init = {
    method: 'POST',
    headers: { 'x-api-key': key, 'Content-Type': 'application/json', 'Idempotency-Key': 'once' },
    body,
  }
  const ids = async () => {
    const { members } = await json<{ members: { memberId: string }[] }>('/members')
    return members.map(({ memberId }) => memberId)
  }
  return { init, ids }
}

const cases = errors.flatMap((fault) => bodies.map((body) => [fault, body] as const))

test.each(cases)('creates a member once if any call is %s: %s', async (fault, body) => {
  let broken = 0
  for (; ; broken++) {
    const { init, ids } = await creation(body)
    const { DB, happened, doLate } = failingDatabase(fault, (call) => call === broken)
    const first = await advanceUntilAnswered(requestWith({ DB }, '/members', init), happened)
    if (happened.errors === 0) break
    const isAnswered = first.status === 201
    if (!isAnswered) await expectUnavailable(first)
    const again = await requestWith({}, '/members', init)
    expect([fault, broken, again.status]).toEqual([fault, broken, 201])
    await doLate()
    const { member } = await again.json<{ member: { id: string } }>()
    if (isAnswered) expect(await first.json()).toEqual({ member })
    expect(await ids()).toEqual([member.id])
  }
  // The reads before, and the creation.
  expect(broken).toBeGreaterThanOrEqual(2)
})

test('a delayed creation happens once, before or after the retry', async () => {
  for (const [body, order] of bodies.flatMap((body) => [
    [body, 'before'],
    [body, 'after'],
  ])) {
    const { init, ids } = await creation(String(body))
    const { DB, happened, doLate } = failingDatabase('stalled', (call) => call === 1)
    await expectUnavailable(
      await advanceUntilAnswered(requestWith({ DB }, '/members', init), happened),
    )
    expect(await ids()).toEqual([])
    if (order === 'before') await doLate()
    expect((await requestWith({}, '/members', init)).status).toBe(201)
    await doLate()
    expect(await ids()).toHaveLength(1)
  }
})

test.each(bodies)(
  'the retry of an unanswered creation returns the stored response: %s',
  async (body) => {
    const { init } = await creation(body)
    const { DB, happened } = failingDatabase('lost after', (call) => call === 1)
    expect((await requestWith({ DB }, '/members', init)).status).toBe(201)
    expect(happened.errors).toBe(1)
  },
)

const writes = [
  ['PUT', '/events/e', '{"name":"B"}'],
  ['PUT', '/events/new', '{"name":"B"}'],
  ['PATCH', '/events/e', '{"name":"B"}'],
  ['DELETE', '/events/e', undefined],
  ['POST', '/events', '{"name":"B"}'],
  ['PATCH', '/events', '{"events":[{"eventId":"e","name":"B"},{"eventId":"f"}]}'],
] as const

test.each(
  errors.flatMap((fault) =>
    writes.map(([method, path, body]) => [fault, method, path, body] as const),
  ),
)(
  'a record that is %s is written at most once and can be sent again: %s %s',
  async (fault, method, path, body) => {
    let broken = 0
    for (; ; broken++) {
      const { send, key, json } = await newWriter()
      await send('PUT', '/events/e', { name: 'A' })
      const init = {
        method,
        headers: {
          'x-api-key': key,
          'Content-Type': 'application/json',
          'Idempotency-Key': 'once',
        },
        ...(body !== undefined && { body }),
      }
      const { DB, happened, doLate } = failingDatabase(fault, (call) => call === broken)
      const first = await advanceUntilAnswered(requestWith({ DB }, path, init), happened)
      if (happened.errors === 0) break
      if (first.status >= 300) await expectUnavailable(first)
      const again = await requestWith({}, path, init)
      const isGone = method === 'DELETE' && again.status === 404
      if (!isGone) expect([broken, again.status < 300]).toEqual([broken, true])
      await doLate()
      const { events } = await json<{ events: { name: string }[] }>('/events')
      const isNew = path !== '/events/e'
      expect(events.map(({ name }) => name).toSorted()).toEqual(
        method === 'DELETE' ? [] : isNew ? (method === 'PATCH' ? ['', 'B'] : ['A', 'B']) : ['B'],
      )
    }
    expect(broken).toBeGreaterThanOrEqual(method === 'DELETE' ? 1 : 2)
  },
)
