import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { pauseWebhook, resumeWebhook } from '../../src/store/webhooks/webhooks.ts'
import { putRecords } from '../../src/store/write/put.ts'
import { newOrganisation } from '../organisation.ts'
import { newWriter } from '../resources/writing.ts'
import { rows } from '../store/whole-index.ts'
import { holdClock, newReceivers, newWebhook } from './receivers.ts'

holdClock()

const fields = [
  { id: 'Full Name', name: 'Full Name', label: 'Name', type: 'text', order: 0 },
  { id: 'Town', name: 'Town', label: 'Town', type: 'text', order: 1 },
]

test('a signed message names the changed fields without values', async () => {
  const { run, write, queued, ...world } = newReceivers()
  const { key, id: organisationId } = await newWriter([...fields])
  const path = '/members/ada'
  await write(key, 'PUT', '/members/before', { 'Full Name': 'Ben Example' })
  expect(queued).toEqual([])
  const { arrived, attempts, shown } = await newWebhook(world, organisationId)
  await write(key, 'PUT', path, { 'Full Name': 'Ada Example', Town: 'Leeds' })
  await run([organisationId])
  await write(key, 'PATCH', path, { Town: 'York' })
  await run([organisationId])
  await write(key, 'DELETE', path)
  await run([organisationId])
  expect(queued).toEqual([1, 2, 3].map(() => ({ organisationId, due: expect.any(Number) })))
  const data = { organisationId, collection: 'members', id: 'ada' }
  const first = Number(arrived[0]?.data.version)
  expect(arrived).toEqual(
    [
      { type: 'member.created', data: { ...data, version: first, changed: ['Full Name', 'Town'] } },
      { type: 'member.updated', data: { ...data, version: first + 1, changed: ['Town'] } },
      { type: 'member.deleted', data: { ...data, version: first + 2, changed: [] } },
    ].map((message) => ({
      ...message,
      id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      timestamp: expect.stringMatching(/^2\d{3}-/),
    })),
  )
  expect(JSON.stringify(arrived)).not.toMatch(/Ada|Leeds|York/)
  expect(await attempts()).toMatchObject(
    [first + 2, first + 1, first].map((version) => ({
      version,
      attempt: 1,
      status: 200,
      failure: null,
      response: 'thanks',
      next: null,
    })),
  )
  expect(await shown()).toMatchObject({
    failures: 0,
    waiting: 0,
    isBehind: false,
    state: 'active',
  })
})

test('every kind of write is delivered once with all fields changed since', async () => {
  const { run, ...world } = newReceivers()
  const { put, id } = await newOrganisation()
  await put('events', [{ id: 'e', document: { eventId: 'e', name: 'A', venue: { a: 1 } } }])
  const { arrived } = await newWebhook(world, id)
  await put('events', [{ id: 'e', document: { eventId: 'e', name: 'B', venue: { a: 1 } } }])
  await put('events', [{ id: 'e', document: { eventId: 'e', name: 'B', venue: { a: 2 }, x: 1 } }])
  await rows(
    `UPDATE records SET document = json_set(document, '$.tags', 'b') WHERE organisation_id = ?`,
    id,
  )
  await run([id])
  await run([id])
  const [{ data, type } = { data: undefined, type: '' }, ...others] = arrived
  expect([type, data?.changed.toSorted()]).toEqual([
    'event.updated',
    ['name', 'tags', 'venue', 'x'],
  ])
  await put('events', [{ id: 'e', document: { eventId: 'e', name: 'B', venue: { a: 2 }, x: 2 } }])
  await run([id])
  expect(arrived.at(-1)?.data.changed.toSorted()).toEqual(['tags', 'x'])
  expect(others).toHaveLength(0)
})

test('a second change before the delivery is part of the same message', async () => {
  const { run, ...world } = newReceivers()
  const { put, id } = await newOrganisation()
  await put('events', [{ id: 'old', document: { name: 'A', tags: 'a' } }])
  const { arrived } = await newWebhook(world, id)
  await put('events', [{ id: 'new', document: { name: 'A' } }])
  await put('events', [{ id: 'old', document: { name: 'B', tags: 'a' } }])
  await put('events', [{ id: 'between', document: {} }])
  await put('events', [{ id: 'old', document: { name: 'B', tags: 'b' } }])
  await put('events', [{ id: 'new', document: { name: 'A', venue: 'a' } }])
  await run([id])
  expect(arrived.map(({ type, data }) => [type, data.id, data.changed.toSorted()])).toEqual([
    ['event.created', 'between', []],
    ['event.updated', 'old', ['name', 'tags']],
    ['event.created', 'new', ['name', 'venue']],
  ])
})

test('a webhook gets the changes that it follows in its organisation since it was added', async () => {
  const { run, ...world } = newReceivers()
  const [{ put, id }, other] = [await newOrganisation(), await newOrganisation()]
  await put('members', [{ id: 'before', document: {} }])
  const creations = await newWebhook(world, id, { changes: ['created'] })
  const members = await newWebhook(world, id, { collections: ['members', 'survey-responses'] })
  const deletions = await newWebhook(world, other.id, { changes: ['deleted'] })
  const many = Array.from({ length: 300 }, (_, n) => ({ id: `b${n}`, document: {} }))
  await put('bookings', many)
  await put('members', [
    { id: 'before', document: { x: 1 } },
    { id: 'new', document: {} },
  ])
  await put('members', [{ id: 'new', document: { x: 1 } }])
  await put('survey-responses', [{ id: 's', document: {} }])
  await other.put('members', [{ id: 'other', document: {} }])
  await env.DB.prepare('DELETE FROM records WHERE organisation_id = ?').bind(other.id).run()
  await run()
  const summary = ({ arrived }: typeof members) => arrived.map(({ type, data }) => [type, data.id])
  expect(summary(creations)).toHaveLength(302)
  expect(summary(creations)).toContainEqual(['member.created', 'new'])
  expect(summary(members)).toEqual([
    ['member.updated', 'before'],
    ['member.created', 'new'],
    ['surveyResponse.created', 's'],
  ])
  expect(summary(deletions)).toEqual([['member.deleted', 'other']])
})

test('a paused webhook gets its changes once it is resumed', async () => {
  const { run, ...world } = newReceivers()
  const { put, id } = await newOrganisation()
  const { store, id: webhookId, arrived, shown } = await newWebhook(world, id)
  await pauseWebhook(store, webhookId)
  await put('events', [{ id: 'e', document: {} }])
  await run([id])
  expect(arrived).toEqual([])
  expect(await shown()).toMatchObject({ state: 'paused', isBehind: true })
  await resumeWebhook(store, webhookId)
  await run([id])
  expect(arrived).toHaveLength(1)
})

test('a change costs one row more where there are webhooks, and a delivery four at most', async () => {
  const { run, ...world } = newReceivers()
  const { put, id } = await newOrganisation()
  const writeAndDeliver = async (work: (DB: D1Database) => Promise<unknown>) => {
    let sum = 0
    const count = <Result extends { meta: D1Meta }>(result: Result) => {
      sum += result.meta.rows_written
      return result
    }
    const batch = async (statements: D1PreparedStatement[]) =>
      (await env.DB.batch(statements)).map(count)
    await work(Object.create(env.DB, { batch: { value: batch } }))
    return sum
  }
  const update = async (name: string) => {
    const document = JSON.stringify({ name })
    const { meta } = await env.DB.prepare(
      `UPDATE records SET document = ?2, version = version + 1 WHERE organisation_id = ?1`,
    )
      .bind(id, document)
      .run()
    return meta.rows_written
  }
  await put('events', [{ id: 'e', document: { name: 'A' } }])
  const before = await update('B')
  const { arrived } = await newWebhook(world, id)
  expect((await update('C')) - before).toBe(1)
  expect(await writeAndDeliver((DB) => run([id], DB))).toBeLessThanOrEqual(4)
  expect(arrived).toHaveLength(1)
  expect(await writeAndDeliver((DB) => run([id], DB))).toBe(0)
  const many = Array.from({ length: 100 }, (_, n) => ({ id: `${n}`, document: '{}' }))
  await putRecords(env.DB, id, 'events', many)
  // The index of answers takes the second row; each is forgotten after 30 days, which writes two more.
  expect(await writeAndDeliver((DB) => run([id], DB))).toBeLessThanOrEqual(220)
  expect(arrived).toHaveLength(101)
})
