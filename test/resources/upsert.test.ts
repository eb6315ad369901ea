import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { everything } from '../examples/everything.ts'
import { fields } from '../examples/people.ts'
import { requestWith, wrapDatabase } from '../faults/failing-database.ts'
import { createKey } from '../keys.ts'
import { rowsRead } from '../organisation.ts'
import { expectOrganisationIndex } from '../store/whole-index.ts'
import {
  collections,
  newWriter,
  plural,
  putExamples,
  statusAndMessage,
  type Writer,
} from './writing.ts'

const schema = [
  ...fields,
  { id: 'membership.number', name: 'number', label: 'Number', type: 'uniqueId', order: 10 },
]
const writer = await newWriter(schema)
await putExamples(writer)

const put = (by: string, collection: string, body: unknown, headers?: Record<string, string>) =>
  writer.send('PUT', `/${collection}?$by=${encodeURIComponent(by)}`, body, headers)

const patch = (
  by: string,
  collection: string,
  records: unknown[],
  headers?: Record<string, string>,
) =>
  writer.send(
    'PATCH',
    `/${collection}?$by=${encodeURIComponent(by)}`,
    { [plural(collection)]: records },
    headers,
  )

/** A field with a text of each collection. */
const texts: Record<string, string> = {
  events: 'name',
  bookings: 'ticketName',
  forms: 'name',
  'survey-responses': 'creator',
  'case-notes': 'caseId',
  funds: 'identifier',
  'grant-applications': 'external.id',
  disbursements: 'payment.reference',
}

/** Returns a record with a value at a dotted path. */
function withValue(record: object, path: string, value: unknown): Record<string, unknown> {
  const [name = '', ...rest] = path.split('.')
  const inner = (record as Record<string, object>)[name] ?? {}
  const set = rest.length > 0 ? withValue(inner, rest.join('.'), value) : value
  return { ...record, [name]: set }
}

describe.each(collections)('%s', (collection, singular, idName) => {
  const isPerson = !(collection in texts)
  const by = texts[collection] ?? 'Email'
  const value = isPerson ? 'new@example.org' : 'a new value'
  const { document = {} } = everything[collection] ?? {}
  const { [idName]: _, managedBy: __, ...values } = document as Record<string, unknown>
  const record = isPerson ? { Email: value, Phone: '07700900123' } : withValue(values, by, value)

  test('PUT creates a record, replaces it by the field, and changes nothing if repeated', async () => {
    const created = await put(by, collection, record)
    const location = created.headers.get('Location') ?? ''
    expect([created.status, location]).toEqual([201, expect.stringContaining(`/${collection}/`)])
    const id = location.split('/').at(-1)
    const path = `/${collection}/${id}`
    const single = await writer.json(path)
    expect(await created.json()).toEqual(single)
    const again = await put(by, collection, single)
    expect([again.status, again.headers.get('Location'), await again.json()]).toEqual([
      200,
      null,
      single,
    ])
    expect(again.headers.get('ETag')).toBe(created.headers.get('ETag'))
    const required = isPerson ? { email: value } : { ...record, [idName]: id }
    expect((await put(by, collection, required)).status).toBe(200)
    const replaced = await writer.json<Record<string, { fields: object[] }>>(path)
    if (isPerson) expect(replaced[singular]?.fields.map(keyOf)).toEqual(['Email'])
  })

  test('PATCH merges by the field, creates the others, and counts', async () => {
    const other = isPerson ? { Email: 'other@example.org' } : withValue(values, by, 'another')
    const more = isPerson ? { Email: value, consent: true } : withValue({}, by, value)
    const answer = await patch(by, collection, [more, other])
    const updated = isPerson ? 1 : 0
    expect(await answer.json()).toEqual({ created: 1, updated, unchanged: 1 - updated })
    const repeated = await patch(by, collection, [other, more])
    expect(await repeated.json()).toEqual({ created: 0, updated: 0, unchanged: 2 })
  })
})

const keyOf = (field: object) => 'key' in field && field.key

test('a repeated value is 409 with the ids, and nothing is written', async () => {
  const { send, json } = await newWriter()
  const upsert = (method: string, body: unknown) => send(method, '/events?$by=name', body)
  const events = ['a', 'b', 'c', 'd', 'e', 'f'].map((eventId) => ({ eventId, name: 'Lunch' }))
  await send('PATCH', '/events', { events: events.slice(0, 2) })
  expect(await statusAndMessage(await upsert('PUT', { name: 'Lunch' }))).toEqual([
    409,
    'name: 2 events have this value: a, b.',
  ])
  await send('PATCH', '/events', { events })
  const mixed = await upsert('PATCH', { events: [{ name: 'Dinner' }, { name: 'Lunch' }] })
  expect(await statusAndMessage(mixed)).toEqual([
    409,
    'events.1.name: 6 events have this value, such as a, b, c, d, e.',
  ])
  expect(await json('/events')).toMatchObject({ total: 6 })
})

const payment = { status: 'PAID', grantId: 'application-1', fundId: 'fund-1' }

test.each<[string, string, unknown[], string]>([
  [
    'events',
    'name',
    [{ tags: [] }],
    'events.0.name: must have a value, which identifies the record.',
  ],
  [
    'events',
    'name',
    [{ name: null }],
    'events.0.name: must have a value, which identifies the record.',
  ],
  [
    'members',
    'Email',
    [{ Email: '' }],
    'members.0.Email: must have a value, which identifies the record.',
  ],
  ['events', 'name', [{ name: true }], 'events.0.name: must be a text or a number.'],
  ['events', 'name', ['x'], 'events.0: is not an object.'],
  [
    'events',
    'name',
    [{ name: 'é'.repeat(129) }],
    'events.0.name: must have at most 256 bytes to identify a record.',
  ],
  [
    'members',
    'demographics.age',
    [{ demographics: { age: 7 } }, { fields: [{ key: 'demographics.age', value: 7 }] }],
    'members.1.demographics.age: has the same value as members.0.demographics.age.',
  ],
  ['events', 'nothing', [{ nothing: 'x' }], '$by: There is no field "nothing".'],
  ['events', 'venue', [{ venue: {} }], '$by: There is no field "venue".'],
  ['events', 'tags', [{ tags: ['Food'] }], '$by: must be a field with a text or a number.'],
  ['events', 'start', [{ start: '2026-01-01' }], '$by: must be a field with a text or a number.'],
  ['members', 'consent', [{ consent: true }], '$by: must be a field with a text or a number.'],
  ['members', 'email', [{ email: 'a@example.org' }], '$by: There is no field "email".'],
  ['events', '', [{ name: 'x' }], '$by: must not be empty.'],
  ['events', 'x'.repeat(257), [{ name: 'x' }], '$by: must have at most 256 characters.'],
  [
    'disbursements',
    'bankAccount.accountNumber',
    [{ ...payment, bankAccount: { accountNumber: '12345678' } }],
    'disbursements.0.bankAccount.accountNumber: is stored as another value, so it cannot identify a record.',
  ],
  [
    'events',
    'name',
    [{ name: 'Lunch club', eventId: 'other' }],
    'events.0.eventId: must be absent, or the id of the event with this name.',
  ],
  [
    'events',
    'name',
    [{ name: 'Unheard of', eventId: 'event-1' }],
    'events.0.eventId: is the id of a record with another name.',
  ],
])('an invalid upsert of %s by %s is 400', async (collection, by, records, message) => {
  const before = await (await writer.get('/changes?$after=latest')).json()
  expect(await statusAndMessage(await patch(by, collection, records))).toEqual([
    400,
    expect.stringContaining(message),
  ])
  expect(await (await writer.get('/changes?$after=latest')).json()).toEqual(before)
})

test('PUT without $by is 400', async () => {
  expect(await statusAndMessage(await writer.send('PUT', '/events', { name: 'x' }))).toEqual([
    400,
    '$by: must be the name of a field.',
  ])
})

test('If-Match and If-None-Match apply to the record that the field identifies', async () => {
  const { send } = await newWriter()
  const upsert = async (body: object, headers: Record<string, string>) => {
    const answer = await send('PUT', '/events?$by=name', body, headers)
    return [answer.status, answer.headers.get('ETag') ?? ''] as const
  }
  expect((await upsert({ name: 'a' }, { 'If-Match': '*' }))[0]).toBe(412)
  const [created, etag] = await upsert({ name: 'a' }, { 'If-None-Match': '*' })
  expect(created).toBe(201)
  expect((await upsert({ name: 'a' }, { 'If-None-Match': '*' }))[0]).toBe(412)
  expect((await upsert({ name: 'a', colour: '#fff' }, { 'If-Match': etag }))[0]).toBe(200)
  expect((await upsert({ name: 'a' }, { 'If-Match': etag }))[0]).toBe(412)
})

test('an Idempotency-Key belongs to one field', async () => {
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const records = [{ name: 'Once', eventId: 'once', colour: '#000000' }]
  const first = await (await patch('name', 'events', records, headers)).json()
  expect(first).toEqual({ created: 1, updated: 0, unchanged: 0 })
  expect(await (await patch('name', 'events', records, headers)).json()).toEqual(first)
  expect((await patch('colour', 'events', records, headers)).status).toBe(422)
})

test('a key needs to read and write, and does not see hidden fields or private notes', async () => {
  const newKey = async (permissions: string[], restrictions?: object) => {
    const { key } = await createKey(
      env,
      writer.id,
      'k',
      'a test',
      undefined,
      permissions,
      restrictions,
    )
    return { 'x-api-key': key }
  }
  for (const permission of ['read', 'write']) {
    const key = await newKey([permission])
    expect((await put('name', 'events', { name: 'x' }, key)).status).toBe(403)
    expect((await patch('name', 'events', [{ name: 'x' }], key)).status).toBe(403)
  }
  const hidden = await newKey(['read', 'write'], { hideFields: ['Phone', 'venue'] })
  for (const [collection, by, nearest] of [
    ['members', 'Phone', 'Email'],
    ['events', 'venue.name', 'name'],
  ] as const)
    expect(
      await statusAndMessage(await patch(by, collection, [{ [by]: '07700900123' }], hidden)),
    ).toEqual([400, `$by: There is no field "${by}". Did you mean "${nearest}"?`])
  const withoutNotes = await newKey(['read', 'write'], { privateNotes: false })
  for (const content of ['Visited at home', 'Nobody wrote this'])
    expect(
      await statusAndMessage(await put('content', 'case-notes', { content }, withoutNotes)),
    ).toEqual([403, 'These credentials may not see private case notes: use ids.'])
})

/** Sends an upsert and does something between its last read and its write. */
async function upsertWhile(
  { key }: Writer,
  body: object,
  meanwhile: () => Promise<unknown>,
): Promise<Response> {
  let calls = 0
  const DB = wrapDatabase(env.DB, async (make) => {
    if (calls++ === 2) await meanwhile()
    return make()
  })
  return requestWith({ DB }, '/events?$by=name', {
    method: 'PUT',
    headers: { 'x-api-key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
}

test('an upsert restarts if the value gets or loses a record before it is written', async () => {
  const other = await newWriter()
  const { send } = other
  const taken = await upsertWhile(other, { name: 'a', colour: '#111111' }, () =>
    send('PUT', '/events/first', { name: 'a', colour: '#222222' }),
  )
  expect([taken.status, await taken.json()]).toMatchObject([
    200,
    { event: { eventId: 'first', colour: '#111111' } },
  ])
  const renamed = await upsertWhile(other, { name: 'a' }, () =>
    send('PATCH', '/events/first', { name: 'b' }),
  )
  expect(renamed.status).toBe(201)
  const doubled = await upsertWhile(other, { name: 'a', colour: '#333333' }, () =>
    send('PATCH', '/events/first', { name: 'a' }),
  )
  expect(doubled.status).toBe(409)
})

test('concurrent upserts of a new value create one record', async () => {
  const { send, id, json } = await newWriter(schema)
  const by = '/members?$by=membership.number'
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      index % 2 === 0
        ? send('PUT', by, { 'membership.number': 'M-1', 'demographics.age': index })
        : send('PATCH', by, { members: [{ number: 'M-1' }, { number: `M-2` }] }),
    ),
  )
  const bodies = await Promise.all(answers.map((answer) => answer.json<{ created?: number }>()))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status > 201)).toEqual([])
  const created = bodies.reduce((sum, { created = 0 }) => sum + created, 0)
  expect(created + statuses.filter((status) => status === 201).length).toBe(2)
  expect((await json<{ members: object[] }>('/members')).members).toHaveLength(2)
  await expectOrganisationIndex(id)
})

test('an upsert reads as few rows in a large collection as in a small one', async () => {
  const [small = [], large = []] = await Promise.all(
    [10, 3000].map(async (count) => {
      const { put, send } = await newWriter()
      const records = Array.from({ length: count }, (_, index) => ({
        id: `event-${index}`,
        document: { ...everything.events?.document, eventId: `event-${index}`, name: `n${index}` },
      }))
      await put('events', records)
      const costs: number[] = []
      // Created, then unchanged.
      for (const status of [201, 200]) {
        const answer = await send('PUT', '/events?$by=name', { name: 'new' })
        expect(answer.status).toBe(status)
        costs.push(rowsRead(answer))
      }
      return costs
    }),
  )
  expect(large).toEqual(small)
  expect(Math.max(...large)).toBeLessThan(150)
})
