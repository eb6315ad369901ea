import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newOrganisation } from '../organisation.ts'
import { type Fault, faultyDatabase, requestWith } from './faulty.ts'

const fields = [{ id: 'Full Name', name: 'Full Name', label: 'Name', type: 'text', order: 0 }]

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** The answer, though the clock must be moved on for a call that never ends. */
async function settled(answer: Promise<Response>): Promise<Response> {
  let ended = false
  const done = answer.finally(() => {
    ended = true
  })
  while (!ended) {
    await vi.advanceTimersByTimeAsync(1000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return done
}

async function expectUnavailable(answer: Response) {
  expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '1'])
  expect(await answer.json()).toEqual({ type: 'UNAVAILABLE', message: expect.any(String) })
}

const faults: Fault[] = ['before', 'after', 'overloaded', 'stalled']
const paths = ['/events', '/members', '/bookings', '/members/m', '/schemas/:id']

test.each(faults)('a read of a database whose calls end %s is whole or 503', async (fault) => {
  const { id, key, put, schema } = await newOrganisation()
  await schema('members', fields)
  await put('members', [{ id: 'm', document: { 'Full Name': 'Ada' } }])
  const init = { headers: { 'x-api-key': key } }
  for (const path of paths.map((path) => path.replace(':id', id))) {
    const good = await (await requestWith({}, path, init)).text()
    const once = faultyDatabase(fault, (call) => call === 0)
    const answer = await settled(requestWith({ DB: once.DB }, path, init))
    if (fault === 'before' || fault === 'after') {
      expect([answer.status, await answer.text()]).toEqual([200, good])
    } else await expectUnavailable(answer)
    const always = faultyDatabase(fault, () => true)
    await expectUnavailable(await settled(requestWith({ DB: always.DB }, path, init)))
    const retried = fault === 'before' || fault === 'after'
    expect(always.counted.calls).toBe(retried ? 2 : 1)
  }
})

test.each(faults.flatMap((fault) => [0, 1, 2, 3].map((call) => [fault, call] as const)))(
  'a member is created once, though a call ends %s (%i)',
  async (fault, broken) => {
    const { key, json, schema } = await newOrganisation()
    await schema('members', fields)
    const init = {
      method: 'POST',
      headers: { 'x-api-key': key, 'Content-Type': 'application/json', 'Idempotency-Key': 'once' },
      body: '{"Full Name":"Ada"}',
    }
    const faulty = faultyDatabase(fault, (call) => call === broken)
    const first = await settled(requestWith({ DB: faulty.DB }, '/members', init))
    if (first.status !== 201) await expectUnavailable(first.clone() as Response)
    const again = await requestWith({}, '/members', init)
    expect(again.status).toBe(201)
    const { member } = await again.json<{ member: { id: string } }>()
    if (first.status === 201) expect(await first.json()).toEqual({ member })
    vi.useRealTimers()
    const { members } = await json<{ members: { memberId: string }[] }>('/members')
    expect(members.map(({ memberId }) => memberId)).toEqual([member.id])
  },
)

test('a member whose creation was answered by nothing but silence is told again', async () => {
  const { key, schema } = await newOrganisation()
  await schema('members', fields)
  const init = {
    method: 'POST',
    headers: { 'x-api-key': key, 'Content-Type': 'application/json', 'Idempotency-Key': 'once' },
    body: '{"Full Name":"Ada"}',
  }
  const { DB } = faultyDatabase('after', (call) => call === 1)
  expect((await requestWith({ DB }, '/members', init)).status).toBe(201)
})
