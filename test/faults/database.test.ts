import { expect, test } from 'vitest'
import { newOrganisation } from '../organisation.ts'
import { newWriter } from '../resources/writing.ts'
import {
  expectUnavailable,
  type Fault,
  faultyDatabase,
  holdClock,
  requestWith,
  settled,
} from './faulty.ts'

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

test.each(errors)('a read of a database whose calls are %s is whole or 503', async (fault) => {
  const { id, key, put, schema } = await newOrganisation()
  await schema('members', fields)
  await put('members', [{ id: 'm', document: { 'Full Name': 'Ada' } }])
  const init = { headers: { 'x-api-key': key } }
  for (const path of paths.map((path) => path.replace(':id', id))) {
    const good = await (await requestWith({}, path, init)).text()
    const isRetried = fault.startsWith('lost')
    const once = faultyDatabase(fault, (call) => call === 0)
    const answer = await settled(requestWith({ DB: once.DB }, path, init), once.happened)
    if (isRetried) expect([answer.status, await answer.text()]).toEqual([200, good])
    else await expectUnavailable(answer)
    const always = faultyDatabase(fault, () => true)
    await expectUnavailable(
      await settled(requestWith({ DB: always.DB }, path, init), always.happened),
    )
    const asked = isRetried ? 2 : 1
    expect([once.happened.errors, always.happened.errors]).toEqual([1, asked])
  }
})

/** A member who has a value that must be unique is not created twice for that alone; one who has none could be. */
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

test.each(cases)('a member is created once, whichever call is %s: %s', async (fault, body) => {
  let broken = 0
  for (; ; broken++) {
    const { init, ids } = await creation(body)
    const { DB, happened, doLate } = faultyDatabase(fault, (call) => call === broken)
    const first = await settled(requestWith({ DB }, '/members', init), happened)
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
  // What there is to know before, and the creation.
  expect(broken).toBeGreaterThanOrEqual(2)
})

test('a member whose creation is late is created once, before the request is sent again or after', async () => {
  for (const [body, order] of bodies.flatMap((body) => [
    [body, 'before'],
    [body, 'after'],
  ])) {
    const { init, ids } = await creation(String(body))
    const { DB, happened, doLate } = faultyDatabase('stalled', (call) => call === 1)
    await expectUnavailable(await settled(requestWith({ DB }, '/members', init), happened))
    expect(await ids()).toEqual([])
    if (order === 'before') await doLate()
    expect((await requestWith({}, '/members', init)).status).toBe(201)
    await doLate()
    expect(await ids()).toHaveLength(1)
  }
})

test.each(bodies)(
  'a member whose creation was answered by silence is told again: %s',
  async (body) => {
    const { init } = await creation(body)
    const { DB, happened } = faultyDatabase('lost after', (call) => call === 1)
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
  'what is %s is written once or not at all, and can be sent again: %s %s',
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
      const { DB, happened, doLate } = faultyDatabase(fault, (call) => call === broken)
      const first = await settled(requestWith({ DB }, path, init), happened)
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
