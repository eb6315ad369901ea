import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AccessPolicy } from '../../src/access/access-policy.ts'
import { assistantPermissions } from '../../src/access/permissions.ts'
import type { HiddenRecords } from '../../src/access/restriction-effects.ts'
import { everything } from '../examples/everything.ts'
import { createKey } from '../keys.ts'
import { readTool } from '../mcp/assistant.ts'
import { request } from '../organisation.ts'
import { newWriter } from '../resources/writing.ts'

/*
 * Hides the drafts among events, as a restriction might that nobody has declared: everything that hides private
 * case notes hides any other records.
 */

const drafts: HiddenRecords = {
  collection: 'events',
  name: 'draft events',
  visible: { field: 'tags', values: ['Draft'], excludes: true },
}

const { hiddenRecords } = AccessPolicy.prototype

beforeEach(() => {
  vi.spyOn(AccessPolicy.prototype, 'hiddenRecords').mockImplementation(function (
    this: AccessPolicy,
    collection,
  ) {
    const hidden = hiddenRecords.call(this, collection)
    return this.isRestricted && [undefined, 'events'].includes(collection)
      ? [...hidden, drafts]
      : hidden
  })
})

afterEach(() => vi.restoreAllMocks())

const event = (id: string, ...tags: string[]) => ({
  id,
  document: { ...everything.events?.document, eventId: id, name: id, tags },
})

const events = [
  event('open', 'Food'),
  event('draft', 'Food', 'Draft'),
  event('untagged'),
  event('drafty', 'Draftsman'),
  event('art', 'Art', 'Food'),
]

/** An organisation with these events and a booking of each, and a key that sees no drafts. */
async function newLimited(permissions: readonly string[] = ['read', 'create-members', 'write']) {
  const writer = await newWriter()
  await writer.put(
    'events',
    events.map(({ id, document }) => ({ id, document: { ...document, managedBy: writer.id } })),
  )
  await writer.put(
    'bookings',
    events.map(({ id }) => ({
      id: `of-${id}`,
      document: { ...everything.bookings?.document, bookingId: `of-${id}`, eventId: id },
    })),
  )
  const restrictions = { privateNotes: false } as const
  const { storage, id } = writer
  const { key } = await createKey(
    storage,
    id,
    'key',
    'a test',
    undefined,
    permissions,
    restrictions,
  )
  const send = (method: string, path: string, body?: unknown) =>
    request(path, {
      method,
      headers: { 'x-api-key': key, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const json = async <Body>(path: string) => (await send('GET', path)).json<Body>()
  return { ...writer, key, send, json }
}

type List = { events: { eventId: string }[]; total: number }

test('lists, totals and counts leave hidden records out', async () => {
  const { json, send } = await newLimited()
  const list = async (path: string) => {
    const { events, total } = await json<List>(path)
    return [events.map(({ eventId }) => eventId).join(' '), total]
  }
  expect(await list('/events')).toEqual(['open untagged drafty art', 4])
  expect(await list('/events?limit=2&offset=1')).toEqual(['untagged drafty', 4])
  expect(await list('/events?tags=Food')).toEqual(['open art', 2])
  expect(await list('/events?tags=Draft')).toEqual(['', 0])
  expect(await list('/events?tags=Draftsman&eventId=drafty')).toEqual(['drafty', 1])
  expect(await list('/events?$createdFrom=2020-01-01T00:00:00Z')).toEqual([
    'open untagged drafty art',
    4,
  ])
  expect(await list('/events?$updatedFrom=2020-01-01T00:00:00Z')).toEqual([
    'open untagged drafty art',
    4,
  ])
  expect(await list("/events?$filter=tags eq 'Food'&$orderby=name desc")).toEqual(['open art', 2])
  const csv = await (await send('GET', '/events?$format=csv')).text()
  expect(csv.match(/^draft,/m)).toBeNull()
  expect(csv.trim().split('\r\n')).toHaveLength(5)
})

test('an organisation without hidden records has the same lists', async () => {
  const { json, storage, id } = await newLimited()
  await storage.DB.prepare(
    `UPDATE records SET document = json_set(document, '$.tags', json('[]'))
      WHERE organisation_id = ? AND collection = 'events'`,
  )
    .bind(id)
    .run()
  expect((await json<List>('/events')).total).toBe(5)
  expect((await json<List>('/events?eventId=draft')).total).toBe(1)
})

test('a single record, its versions and its references are unknown', async () => {
  const { json, send } = await newLimited()
  for (const path of ['/events/draft', '/events/draft/$versions'])
    expect([path, (await send('GET', path)).status]).toEqual([path, 404])
  const { bookings } = await json<{ bookings: { $event: { name: string } | null }[] }>(
    '/bookings?$expand=event',
  )
  expect(bookings.map(({ $event }) => $event?.name)).toEqual([
    'open',
    undefined,
    'untagged',
    'drafty',
    'art',
  ])
  const filter = "/bookings?$filter=event.name in ('open','draft')"
  expect(await json(filter)).toMatchObject({ bookings: [{ bookingId: 'of-open' }], total: 1 })
})

test('writes neither change nor delete them, and match none', async () => {
  const { send, json, get } = await newLimited()
  for (const [method, path, body, status, message] of [
    ['PATCH', '/events/draft', {}, 404, ''],
    ['DELETE', '/events/draft', undefined, 404, ''],
    ['PUT', '/events/draft', { name: 'x' }, 403, 'may not write draft events'],
    ['PATCH', '/events/open', { tags: ['Draft'] }, 403, 'may not write draft events'],
    ['PATCH', '/events?$by=name', { events: [{ name: 'x' }] }, 403, 'may not see draft events'],
  ] as const) {
    const response = await send(method, path, body)
    expect([path, response.status, await response.text()]).toEqual([
      path,
      status,
      expect.stringContaining(message),
    ])
  }
  expect((await get('/events/draft')).status).toBe(200)
  expect(await json('/events/open')).toMatchObject({ event: { tags: ['Food'] } })
})

type Feed = { changes: { id: string; change: string; record?: object }[]; next: string }

test('the change feed shows a change as the deletion of a record that may have been visible', async () => {
  const { json, put } = await newLimited()
  const { next } = await json<Feed>('/changes?$after=latest')
  const feed = async () => {
    const { changes } = await json<Feed>(`/changes?$after=${next}&$include=records`)
    return changes.map(({ id, change, record }) => `${id} ${change}${record ? ' shown' : ''}`)
  }
  await put('events', [event('hidden', 'Draft'), event('new')])
  expect(await feed()).toEqual(['new created shown'])
  await put('events', [event('open', 'Draft'), event('draft', 'Food')])
  expect(await feed()).toEqual(['new created shown', 'open deleted', 'draft updated shown'])
})

test('an assistant counts the others', async () => {
  const { key } = await newLimited(assistantPermissions)
  const { collections } = await readTool<{
    collections: { collection: string; records: number }[]
  }>(key, 'describe')
  expect(collections.filter(({ records }) => records > 0)).toEqual([
    { collection: 'events', records: 4 },
    { collection: 'bookings', records: 5 },
  ])
})
