import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { everything } from '../examples/everything.ts'
import { failingDatabase, requestWith } from '../faults/failing-database.ts'
import { createKey } from '../keys.ts'
import { newOrganisation } from '../organisation.ts'
import { collections, newWriter, plural, putExamples, statusAndMessage } from './writing.ts'

describe.each(collections)('%s', (collection, singular, idName) => {
  const { id = '', document = {} } = everything[collection] ?? {}
  const path = `/${collection}/${id}`

  test('a record is created, changed, deleted, and gone from the index', async () => {
    const writer = await newWriter()
    await putExamples(writer)
    const { read, send, json, id: organisationId } = writer
    // A member's id must be free in every organisation, or the API answers 403 for another's.
    const newId = `new-${organisationId}`
    const newPath = `/${collection}/${newId}`
    const body = { ...document, managedBy: organisationId, [idName]: newId } as Record<
      string,
      unknown
    >
    if (!('managedBy' in document)) delete body.managedBy
    for (const name of Object.keys(body))
      if (name.startsWith('$') || name === 'gone') delete body[name]
    if (collection === 'survey-responses') body.linkedEntities = { memberIds: ['member-1'] }
    if (collection !== 'members') {
      const response = await send('POST', `/${collection}`, body)
      expect([response.status, await response.json()]).toEqual([201, { [singular]: { id: newId } }])
      expect(response.headers.get('Location')).toBe(`/api/v1/${collection}/${newId}`)
      expect(await statusAndMessage(await send('POST', `/${collection}`, body))).toEqual([
        409,
        expect.stringMatching(`^An? .* with this ${idName} already exists\\.$`),
      ])
    } else {
      expect((await send('PUT', newPath, body)).status).toBe(201)
    }
    const first = await read(newPath)
    const patch = 'managedBy' in document ? { [textOf(collection)]: 'Xyz' } : { 'Full Name': 'Xyz' }
    const patched = await send('PATCH', newPath, patch, {
      'Content-Type': 'application/merge-patch+json',
      'If-Match': first.etag,
    })
    expect(patched.status).toBe(200)
    const second = await read(newPath)
    expect([patched.headers.get('ETag'), await patched.text()]).toEqual([second.etag, second.body])
    expect(second.etag).not.toBe(first.etag)
    const [[field]] = Object.entries(patch) as [[string, string]]
    const search = () => json(`/${collection}?${new URLSearchParams({ [field]: 'Xyz' })}`)
    expect(JSON.stringify(await search())).toContain('"Xyz"')
    for (const stale of [first.etag, '"0"', `W/${second.etag}`, 'x']) {
      for (const [method, input] of [['PUT', body], ['PATCH', patch], ['DELETE']] as const) {
        const answer = await send(method, newPath, input, { 'If-Match': stale })
        expect([method, stale, answer.status]).toEqual([method, stale, 412])
      }
    }
    expect((await send('PUT', newPath, body, { 'If-None-Match': '*' })).status).toBe(412)
    const gone = await send('DELETE', newPath, undefined, { 'If-Match': second.etag })
    expect([gone.status, await gone.text()]).toEqual([204, ''])
    expect((await read(newPath)).status).toBe(404)
    expect(JSON.stringify(await search())).not.toContain('"Xyz"')
    for (const method of ['PATCH', 'DELETE'])
      expect((await send(method, newPath, method === 'PATCH' ? {} : undefined)).status).toBe(404)
    const { results } = await env.DB.prepare(
      'SELECT collection, id FROM deletions WHERE organisation_id = ?',
    )
      .bind(organisationId)
      .all()
    expect(results).toEqual([{ collection, id: newId }])
  })

  test('nothing is written without the write permission, and the message says who can grant it', async () => {
    const writer = await newWriter()
    await putExamples(writer)
    const { send, read, readingKey } = writer
    const before = await read(path)
    for (const [method, at, body] of [
      ...(collection === 'members' ? [] : [['POST', `/${collection}`, document]]),
      ['PUT', path, document],
      ['PATCH', path, {}],
      ['DELETE', path],
      ['PATCH', `/${collection}`, { [plural(collection)]: [document] }],
    ] as [string, string, object?][]) {
      const answer = await send(method, at, body, { 'x-api-key': readingKey })
      const [status, message] = await statusAndMessage(answer)
      expect([method, status]).toEqual([method, 403])
      expect(message).toContain(
        'does not have the `write` permission. An administrator can change it under Settings, Keys.',
      )
    }
    expect(await read(path)).toEqual(before)
  })
})

const textOf = (collection: string) =>
  ({
    'survey-responses': 'creator',
    'case-notes': 'content',
    'grant-applications': 'title',
    disbursements: 'notes',
  })[collection] ?? 'name'

const event = (eventId: string, more: object = {}) => ({ eventId, name: eventId, ...more })

test('every fault is named, in a list with its place, and nothing is written', async () => {
  const { send, json } = await newWriter()
  const wrong = { eventId: 'e', name: 7, start: 'never', shoe: 1, venue: { name: [] } }
  expect(await statusAndMessage(await send('POST', '/events', wrong))).toEqual([
    400,
    'name: must be a text. start: must be a real time in ISO 8601 form, such as 2025-03-01T09:30:00.000Z. venue.name: must be a text. shoe: is not a property here.',
  ])
  const [status, message] = await statusAndMessage(
    await send('PATCH', '/events', { events: [event('a'), wrong, 'x', {}, event('a')] }),
  )
  expect(status).toBe(400)
  for (const text of [
    'events.1.name: must be a text.',
    'events.1.venue.name: must',
    'events.2: is not an object.',
    'events.3.eventId: ',
    'events.4.eventId: is also the id of events.0.',
  ])
    expect(message).toContain(text)
  const many = Array.from({ length: 250 }, (_, index) => event(`${index}`, { name: 1 }))
  expect((await statusAndMessage(await send('PATCH', '/events', { events: many })))[1]).toMatch(
    /events\.99\.name: must be a text\. And 150 more errors\.$/,
  )
  for (const body of [
    {},
    { events: {} },
    { events: [] },
    { events: [...many, {}] },
    { events: [], x: 1 },
  ])
    expect((await send('PATCH', '/events', body)).status).toBe(400)
  expect(await statusAndMessage(await send('PUT', '/events/a', { eventId: 'b' }))).toEqual([
    400,
    'eventId: must be the one in the path.',
  ])
  expect(await json('/events')).toMatchObject({ total: 0 })
})

const openDay = { name: 'Open day', venue: { name: 'Hall', postcode: 'LS11 0ES' } }
const ada = { 'Full Name': 'Ada', Postcode: 'LS11 0ES', 'demographics.age': 7 }

test.each([
  ['events', openDay, {}],
  ['events', openDay, { name: null, venue: { postcode: 'M1 1AA' } }],
  ['events', openDay, { venue: null, tags: ['a'] }],
  ['members', ada, { Postcode: 'M1 1AA', demographics: { age: null } }],
  ['members', ada, { 'Full Name': '' }],
  ['members', ada, { fields: [{ key: 'Postcode', value: null }] }],
])(
  'a list of %s merges %j and %j as a patch of one record does',
  async (collection, input, patch) => {
    const { send, read } = await newWriter()
    const idName = collection === 'events' ? 'eventId' : 'memberId'
    for (const id of ['one', 'two']) await send('PUT', `/${collection}/${id}`, input)
    await send('PATCH', `/${collection}/one`, patch)
    const list = { [collection]: [{ [idName]: 'two', ...patch }] }
    expect((await send('PATCH', `/${collection}`, list)).status).toBe(200)
    const [one, two] = await Promise.all([read(`/${collection}/one`), read(`/${collection}/two`)])
    expect(two.body).toBe(one.body.replace('"one"', '"two"'))
  },
)

test.each([
  ['{"name":"a","name":"b"}', 'name'],
  ['{"venue":{"name":"a","na\\u006de":"b"}}', 'venue.name'],
  ['{"x":[{"a":"\\"","b":1,"a" : 2}]}', 'x.a'],
])('a body that gives a name twice is refused: %s', async (body, name) => {
  const { send } = await newWriter()
  for (const [method, path] of [
    ['POST', '/events'],
    ['POST', '/members'],
    ['PATCH', '/events'],
  ] as const)
    expect(await statusAndMessage(await send(method, path, body))).toEqual([
      400,
      `${name}: appears twice.`,
    ])
})

test('a name that only seems to be given twice is taken', async () => {
  const { send } = await newWriter()
  const body =
    '{"name":"name","tags":["name","name"],"venue":{"name":"{\\"name\\":"},"colour":"\\\\"}'
  expect((await send('POST', '/events', body)).status).toBe(201)
})

test('a body that is too deep or too large is refused', async () => {
  const { send } = await newWriter()
  const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
  const form = {
    formId: 'f',
    type: 'survey',
    questions: [{ questionId: 'q', options: [{ label: '', value: 1 }] }],
  }
  const response = await send('POST', '/forms', form)
  expect(response.status).toBe(201)
  for (const [method, path, body] of [
    ['PATCH', '/forms/f', `{"questions":${deep}}`],
    [
      'PUT',
      '/forms/f',
      `{"type":"survey","questions":[{"questionId":"q","options":[{"label":"","value":${deep}}]}]}`,
    ],
    ['POST', '/events', deep],
    ['POST', '/volunteers', `{"Full Name":${deep}}`],
    ['PUT', '/events/e', { name: 'x'.repeat(100_001) }],
  ] as const)
    expect([path, (await send(method, path, body)).status]).toEqual([path, 400])
})

test('a merge patch does what RFC 7396 says', async () => {
  const { send } = await newWriter()
  await send(
    'PUT',
    '/events/e',
    event('e', { tags: ['a', 'b'], venue: { name: 'V', address: 'A' } }),
  )
  const answer = await send('PATCH', '/events/e', {
    tags: ['c'],
    venue: { address: null },
    colour: 'red',
  })
  expect((await answer.json<{ event: object }>()).event).toMatchObject({
    name: 'e',
    colour: 'red',
    tags: ['c'],
    venue: { name: 'V', address: '' },
  })
})

test('recounts the questions unless a count was given', async () => {
  const { send } = await newWriter()
  const question = (questionId: string) => ({ questionId })
  const count = async (answer: Response) =>
    (await answer.json<{ form: { questionCount: number } }>()).form.questionCount
  await send('PUT', '/forms/f', { type: 'survey', questions: [question('a')] })
  const two = { questions: [question('a'), question('b')] }
  expect(await count(await send('PATCH', '/forms/f', two))).toBe(2)
  expect(
    await count(await send('PUT', '/forms/f', { type: 'survey', questions: [], questionCount: 2 })),
  ).toBe(0)
  expect(await count(await send('PATCH', '/forms/f', { questionCount: 9 }))).toBe(9)
  expect(await count(await send('PATCH', '/forms/f', two))).toBe(9)
})

test('every write takes at most two calls of the database', async () => {
  const { key } = await newWriter()
  const callsOf = async (method: string, path: string, body?: unknown) => {
    const { DB, happened } = failingDatabase('lost before', () => false)
    const headers = {
      'x-api-key': key,
      'Content-Type': 'application/json',
      'Idempotency-Key': `${method} ${path}`,
    }
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const answer = await requestWith({ DB }, path, init)
    expect([method, path, answer.ok]).toEqual([method, path, true])
    return happened.calls
  }
  // The first use of a key is noted.
  await callsOf('PUT', '/members/m', { 'Full Name': 'Ada' })
  for (const [method, path, body, maxRows] of [
    ['PUT', '/events/e', { name: 'E' }, 2],
    ['PUT', '/events/e', { name: 'F' }, 2],
    ['PATCH', '/events/e', { name: 'G' }, 2],
    ['PATCH', '/events', { events: [event('e'), event('f')] }, 2],
    ['POST', '/events', event('g'), 2],
    ['POST', '/events', event('g'), 1],
    ['POST', '/members', { 'Full Name': 'Bea' }, 2],
    ['PUT', '/bookings/b', { eventId: 'e', memberId: 'm' }, 2],
    ['PATCH', '/members/m', { 'Full Name': 'Bea' }, 2],
    ['DELETE', '/events/f', undefined, 1],
    ['DELETE', '/events/e?$cascade=true', undefined, 1],
  ] as const) {
    expect(await callsOf(method, path, body), `${method} ${path}`).toBeLessThanOrEqual(maxRows)
  }
})

test('an Idempotency-Key gives the first answer again, and to another request 422', async () => {
  const { send, json } = await newWriter()
  const once = { 'Idempotency-Key': 'once' }
  const bodies = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const answer = await send('POST', '/events', { name: 'a' }, once)
      return [answer.status, await answer.text()]
    }),
  )
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  expect(bodies[0]?.[0]).toBe(201)
  for (const [method, path, body] of [
    ['POST', '/events', { name: 'b' }],
    ['POST', '/volunteers', { name: 'a' }],
    ['POST', '/members', { 'Full Name': 'a' }],
    ['PATCH', '/events', { events: [event('a')] }],
  ] as const)
    expect((await send(method, path, body, once)).status).toBe(422)
  const all = { events: [event('a'), event('b')] }
  const twice = { 'Idempotency-Key': 'twice' }
  for (let time = 0; time < 2; time++) {
    const answer = await send('PATCH', '/events', all, twice)
    expect(await answer.json()).toEqual({ created: 2, updated: 0, unchanged: 0 })
  }
  expect(
    await (
      await send('PATCH', '/events', {
        events: [event('a'), event('b', { colour: 'x' }), event('c')],
      })
    ).json(),
  ).toEqual({
    created: 1,
    updated: 1,
    unchanged: 1,
  })
  expect(await json('/events')).toMatchObject({ total: 4 })
})

test('a key creates members with that right, and nothing else', async () => {
  const { key, keyId, get, schema } = await newOrganisation()
  await schema('members', [{ id: 'n', name: 'n', label: 'n', type: 'text', order: 0 }])
  const headers = { 'x-api-key': key, 'Content-Type': 'application/json' }
  const statuses = async () =>
    Promise.all(
      ['/members', '/volunteers'].map(async (path) => {
        const { status } = await get(path, { method: 'POST', headers, body: '{"n":"a"}' })
        return [status, (await get(path)).status]
      }),
    )
  const may = (permissions: string) =>
    env.DB.prepare('UPDATE api_keys SET permissions = ? WHERE id = ?')
      .bind(permissions, keyId)
      .run()
  expect(await statuses()).toEqual([
    [201, 200],
    [403, 200],
  ])
  await may('read')
  expect(await statuses()).toEqual([
    [403, 200],
    [403, 200],
  ])
  await may('create-members')
  expect(await statuses()).toEqual([
    [201, 403],
    [403, 403],
  ])
})

test('a key that may only write creates, puts lists and deletes, and is shown no record', async () => {
  const { id, send, json } = await newWriter()
  const { key } = await createKey(env, id, 'writer alone', 'a test', undefined, ['write'])
  const alone = { 'x-api-key': key }
  const statusOf = async (method: string, path: string, body?: object) =>
    (await send(method, path, body, alone)).status
  expect(await statusOf('POST', '/events', event('a'))).toBe(201)
  expect(await statusOf('POST', '/members', { 'Full Name': 'Ada' })).toBe(201)
  for (const name of ['a', 'guess', 'a']) {
    const events = [event('a', { name }), event('b')]
    const list = await send('PATCH', '/events', { events }, alone)
    expect(await list.json()).toEqual({ accepted: 2 })
    const lines = events.map((one) => JSON.stringify(one)).join('\n')
    for (const dry of [true, false]) {
      const file = await send('POST', `/imports?collection=events&$dryRun=${dry}`, lines, {
        ...alone,
        'Content-Type': 'application/x-ndjson',
      })
      expect(await file.json()).toEqual({ accepted: 2, rejected: 0, errors: [] })
    }
  }
  expect(await statusOf('DELETE', '/events/a')).toBe(204)
  for (const [method, path, body] of [
    ['PUT', '/events/b', event('b', { name: 'x' })],
    ['PUT', '/events/c', event('c')],
    ['PATCH', '/events/b', { name: 'x' }],
    ['GET', '/events/b'],
    ['GET', '/events'],
    ['GET', '/changes'],
  ] as [string, string, object?][]) {
    const [status, message] = await statusAndMessage(await send(method, path, body, alone))
    expect([method, path, status]).toEqual([method, path, 403])
    expect(message).toContain('does not have the `read` permission')
  }
  expect(await json('/events')).toMatchObject({ events: [event('b')], total: 1 })
})

test('a request that would change more values than others can wait for is refused, and its parts are not', async () => {
  const { send, json } = await newWriter()
  const events = (count: number, tag: string) =>
    Array.from({ length: count }, (_, at) => ({
      eventId: `e${at}`,
      tags: Array.from({ length: 490 }, (_, index) => `${tag}${index}`),
    }))
  const ask = async (count: number, tag: string) =>
    statusAndMessage(await send('PATCH', '/events', { events: events(count, tag) }))
  const refused = [
    400,
    'One request may change records of at most 50,000 values, counted before and after the change: send the records in several requests.',
  ]
  expect(await ask(110, 'a')).toEqual(refused)
  expect(await json('/events')).toMatchObject({ total: 0 })
  expect(await ask(90, 'a')).toEqual([200, undefined])
  // Replaced tags count as well, an unchanged record does not.
  expect(await ask(90, 'b')).toEqual(refused)
  expect(await ask(40, 'b')).toEqual([200, undefined])
  const same = events(90, 'a').map((event, at) => events(40, 'b')[at] ?? event)
  const answer = await send('PATCH', '/events', { events: [...same, { eventId: 'new' }] })
  expect(await answer.json()).toEqual({ created: 1, updated: 0, unchanged: 90 })
})
