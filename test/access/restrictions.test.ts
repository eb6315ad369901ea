import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { accessPolicyFor } from '../../src/access/access-policy.ts'
import type { Restrictions } from '../../src/access/restrictions.ts'
import { type Field, isKind } from '../../src/model/properties/schema.ts'
import { putSchemas } from '../../src/store/settings/schemas.ts'
import { everything } from '../examples/everything.ts'
import { databaseWithConcurrentChange } from '../faults/concurrent-change.ts'
import { failingDatabase, requestWith } from '../faults/failing-database.ts'
import { changeKey, createKey } from '../keys.ts'
import { muteLog } from '../logs/mute.ts'
import { request, rowsRead } from '../organisation.ts'
import { collections, newWriter, putExamples, type Writer } from '../resources/writing.ts'
import { rows } from '../store/whole-index.ts'

type Json = Record<string, unknown>

const all = ['read', 'create-members', 'write']

/** An organisation with everything, and a key of it within restrictions. */
async function newLimited(restrictions: Restrictions, may = all) {
  const writer = await newWriter()
  await putExamples(writer)
  return { ...writer, limited: await keyOf(writer, restrictions, may) }
}

async function keyOf({ id }: Writer, restrictions: Restrictions, may = all) {
  const { key, id: keyId } = await createKey(
    env,
    id,
    'limited',
    'a test',
    undefined,
    may,
    restrictions,
  )
  const send = (method: string, path: string, body?: unknown, headers = {}) =>
    request(path, {
      method,
      headers: { 'x-api-key': key, 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const status = async (...sent: Parameters<typeof send>) => (await send(...sent)).status
  const json = async <Body = Json>(path: string) => (await send('GET', path)).json<Body>()
  return { key, keyId, send, status, json }
}

const documentOf = async ({ id }: Writer, collection: string, recordId: string) => {
  const [row] = await rows(
    'SELECT document FROM records WHERE organisation_id = ? AND collection = ? AND id = ?',
    id,
    collection,
    recordId,
  )
  return row && JSON.parse(String(row.document))
}

/** The database, and a log of its statements with their parameters. */
function watchedDatabase() {
  const statements: unknown[] = []
  const prepare = (sql: string) => {
    const statement = env.DB.prepare(sql)
    const bind = (...values: unknown[]) => {
      statements.push(sql, ...values)
      return statement.bind(...values)
    }
    return Object.create(statement, { bind: { value: bind } })
  }
  const DB: D1Database = Object.create(env.DB, {
    prepare: { value: prepare },
    batch: { value: env.DB.batch.bind(env.DB) },
  })
  return { DB, statements }
}

test('a key for a web form creates members and does nothing else', async () => {
  const { limited, id } = await newLimited({ collections: ['members'] }, ['create-members'])
  expect(await limited.status('POST', '/members', { 'Full Name': 'Cy Poe' })).toBe(201)
  for (const path of [
    ...['/members', '/members/member-1', '/members/member-1/$everything', '/changes', '/events'],
    ...[`/schemas/${id}?kind=volunteers`, `/schemas/${id}?kind=partners`],
  ])
    expect([path, await limited.status('GET', path)]).toEqual([path, 403])
  expect(await limited.status('PATCH', '/members/member-1', {})).toBe(403)
})

test('a key without contact details sees all the rest', async () => {
  const { limited, get, id } = await newLimited({
    hideFields: ['email', 'phone', 'postcode', 'names'],
  })
  const { members } = await limited.json<{ members: { fields: { key: string }[] }[] }>('/members')
  expect(members[0]?.fields.map(({ key }) => key)).toEqual([
    'demographics.age',
    'consent',
    'view',
    'views',
  ])
  const unrestricted = await (await get('/bookings/booking-1')).json<{ booking: Json }>()
  const { booking } = await limited.json<{ booking: Json }>('/bookings/booking-1')
  const profile = {
    memberId: 'member-1',
    fields: [{ key: 'profileId', label: 'Profile ID', value: 'member-1', type: 'string' }],
  }
  expect(booking).toEqual({ ...unrestricted.booking, userEmail: '', userName: '', profile })
  const { fields } = await limited.json<{ fields: { id: string }[] }>(`/schemas/${id}`)
  expect(fields.map(({ id }) => id)).not.toContain('Email')
  const csv = await (await limited.send('GET', '/bookings?$format=csv')).text()
  expect(csv.split('\r\n')[0]).not.toMatch(/userEmail|userName|Full Name|Postcode/)
  expect(csv.split('\r\n')[0]).toContain('userStatus')
  const funds = await (await limited.send('GET', '/funds?$format=csv')).text()
  expect(funds.split('\r\n')[0]).toMatch(/identifier,guidelines/)
})

test('a filter on a hidden field finds nothing, and the suggested field is visible', async () => {
  const { limited } = await newLimited({ hideFields: ['email', 'Phone', 'creator'] })
  for (const [path, nearest] of [
    ['/bookings?userEmail=ada@example.org', 'userName'],
    ['/members?Phone=07700900123', 'Postcode'],
    ['/case-notes?Creator=user-1', 'created'],
    ['/volunteers?Phone=07700900123&$format=csv', 'Postcode'],
  ]) {
    const name = /\?(\w+)=/.exec(String(path))?.[1]
    const answer = await limited.send('GET', String(path))
    expect([path, answer.headers.get('Warning')]).toEqual([
      path,
      `299 - "Unknown filter \\"${name}\\". Did you mean \\"${nearest}\\"?"`,
    ])
    expect(await answer.text()).not.toMatch(/ada@|07700/)
  }
})

test('hidden fields are not part of any statement', async () => {
  const { limited, ...writer } = await newLimited({ hideFields: ['email'] })
  const { DB, statements } = watchedDatabase()
  const headers = { 'x-api-key': limited.key }
  const path = '/members?Email=nobody@example.org&Phone=07700900999'
  for (const title of ['A Schema', 'Another']) {
    await rows('UPDATE schemas SET name = ? WHERE organisation_id = ?', title, writer.id)
    const answer = await requestWith({ DB }, path, { headers })
    expect(await answer.json()).toMatchObject({ members: [] })
  }
  expect(statements.join()).toContain('07700900999')
  expect(statements.join()).not.toContain('nobody@example.org')
})

test('people cannot be filtered by a hidden postcode, and bookings do not show their member', async () => {
  const { limited, get } = await newLimited({ hideFields: ['postcode', 'memberId'] })
  for (const path of ['/volunteers?postcode=SW1A', '/partners?postcode=SW1A1AA']) {
    expect(await (await get(path)).json()).toMatchObject({ total: 1 })
    expect(await limited.json(path)).toMatchObject({ total: 0 })
  }
  const nobody = {
    memberId: '',
    fields: [{ key: 'profileId', label: 'Profile ID', value: '', type: 'string' }],
  }
  const { bookings } = await limited.json<{ bookings: Json[] }>('/bookings')
  expect(bookings[0]).toMatchObject({ memberId: '', profile: nobody })
  expect(await limited.json('/bookings/booking-1')).toMatchObject({ booking: { profile: nobody } })
  expect(await limited.json('/bookings?memberId=member-1')).toMatchObject({ total: 0 })
})

test.each([
  [['email'], [null, null, 2, null, ['a'], 'Urdu', '5', null]],
  [['date of birth'], [null, null, 2, null, ['a'], 'Urdu', '5', null]],
  [['free text'], [null, null, 2, '1990-01-01', ['a'], null, '5', null]],
  [
    ['mail', 'views'],
    [null, 'Much', 2, '1990-01-01', null, 'Urdu', '5', null],
  ],
  [['responses.response'], [null, null, null, null, null, null, null, null]],
  [['venue'], ['a@x.test', 'Much', 2, '1990-01-01', ['a'], 'Urdu', '5', null]],
])('without %j, the answers of a survey are %j', async (without, expected) => {
  const { limited, put, id } = await newLimited({ hideFields: without })
  const statements = [
    ['mail', 'Where may we write to?', 'text', 'a@x.test'],
    ['q1', 'What would you change?', 'Paragraph Text Input', 'Much'],
    ['q2', 'How many live with you?', 'number', 2],
    ['q3', 'Which is your e-mail or date of birth?', 'date', '1990-01-01'],
    ['views', 'What do you like?', 'Checkbox', ['a']],
    ['Language', 'Which language do you speak?', 'select', 'Urdu'],
    ['again', 'Would you come again?', 'select', '5'],
    ['School', 'Which school do you go to?', 'select', null],
  ]
  const responses = statements.map(([questionId, question, type, response]) => ({
    questionId,
    question,
    outcome: '',
    type,
    response,
  }))
  const document = { ...everything['survey-responses']?.document, managedBy: id, responses }
  await put('survey-responses', [{ id: 'response-1', document }])
  type Shown = { surveyResponse: { responses: { response: unknown }[] } }
  const { surveyResponse } = await limited.json<Shown>('/survey-responses/response-1')
  expect(surveyResponse.responses.map(({ response }) => response)).toEqual(expected)
})

describe('a key for some collections', () => {
  test('is refused the others, in the feed as well, and by name', async () => {
    const { limited, id } = await newLimited({ collections: ['events', 'bookings'] })
    for (const [name, , idName] of collections) {
      const recordId = String(everything[name]?.id)
      const isSeen = name === 'events' || name === 'bookings'
      expect([name, await limited.status('GET', `/${name}`)]).toEqual([name, isSeen ? 200 : 403])
      expect(await limited.status('GET', `/${name}/${recordId}`)).toBe(isSeen ? 200 : 403)
      expect(await limited.status('GET', `/changes?collections=${name}`)).toBe(isSeen ? 200 : 403)
      if (isSeen) continue
      for (const [method, path, body] of [
        ['PUT', `/${name}/${recordId}`, {}],
        ['PATCH', `/${name}/${recordId}`, {}],
        ['DELETE', `/${name}/${recordId}`],
        ['PUT', `/${name}/new`, { [idName]: 'new' }],
        ...(isKind(name)
          ? [['POST', `/${name}/${recordId}/$merge`, { from: 'new' }] as const]
          : []),
      ] as const)
        expect([name, method, await limited.status(method, path, body)]).toEqual([
          name,
          method,
          403,
        ])
    }
    expect(await limited.status('GET', `/schemas/${id}`)).toBe(403)
    const { changes } = await limited.json<{ changes: Json[] }>('/changes?$include=records')
    expect(changes.map(({ collection }) => collection)).toEqual(['events', 'bookings'])
    const response = await limited.send('GET', '/members')
    expect(await response.json()).toEqual({
      type: 'FORBIDDEN',
      message: expect.stringMatching(
        /^This key cannot access members\. An administrator can change it/,
      ),
    })
  })

  test('deletes nothing that others name, as it does not see all that would go', async () => {
    const writer = await newLimited({ collections: ['events'] })
    const answer = await writer.limited.send('DELETE', '/events/event-1?$cascade=true')
    expect([answer.status, (await answer.json<Json>()).message]).toEqual([
      403,
      expect.stringContaining('$cascade: these credentials do not see all'),
    ])
    for (const [name, recordId] of [
      ['events', 'event-1'],
      ['bookings', 'booking-1'],
    ] as const)
      expect(await documentOf(writer, name, recordId)).toBeDefined()
  })

  test('sees bookings without the profile of their member', async () => {
    const { limited } = await newLimited({ collections: ['bookings'] })
    const { bookings } = await limited.json<{ bookings: { profile: { fields: Json[] } }[] }>(
      '/bookings?profileFields=Email,Phone',
    )
    expect(bookings[0]?.profile.fields.map(({ key }) => key)).toEqual(['profileId'])
    const csv = await (await limited.send('GET', '/bookings?$format=csv')).text()
    expect(csv.split('\r\n')[0]).not.toContain('profile')
    const policy = accessPolicyFor('{"collections":["bookings"]}')
    expect(policy.visibleMember('{}')).toBeUndefined()
  })
})

test('a key restricted to a network gets 403 from any other address', async () => {
  const { limited } = await newLimited({ allowFrom: ['203.0.113.0/24', '2001:db8::/32'] })
  const from = (address: string, method = 'GET', path = '/events', body?: unknown) =>
    limited.status(method, path, body, { 'CF-Connecting-IP': address })
  expect(await from('203.0.113.9')).toBe(200)
  expect(await from('2001:db8::7')).toBe(200)
  for (const [method, path, body] of [
    ['GET', '/events'],
    ['GET', '/events?$x=1'],
    ['GET', '/nowhere'],
    ['POST', '/members', { 'Full Name': 'Cy' }],
    ['DELETE', '/events/event-1'],
    ['DELETE', '/disbursements/disbursement-1'],
  ] as const)
    expect([path, await from('198.51.100.1', method, path, body)]).toEqual([path, 403])
  expect(await from('203.0.113.9', 'GET', '/disbursements/disbursement-1')).toBe(200)
})

test('a rejected request reads nothing and shows no cost', async () => {
  const { limited, ...writer } = await newLimited({ collections: ['events'] })
  const { DB, statements } = watchedDatabase()
  const headers = { 'x-api-key': limited.key }
  expect((await requestWith({ DB }, '/members', { headers })).status).toBe(403)
  expect(statements.join()).toContain('api_keys')
  expect(statements.join()).not.toContain('records')
  const form = await keyOf(writer, {}, ['create-members'])
  expect((await form.send('GET', '/members')).headers.get('Server-Timing')).toBe(null)
})

test.each(['create-members', 'write'])(
  'a key with only %s does not see the cost of a request, or counts of records',
  async (permission) => {
    const writer = await newLimited({})
    const { send } = await keyOf(writer, {}, [permission])
    for (const answer of [
      await send('POST', '/members', { 'Full Name': 'Ada' }),
      await send('POST', '/members', { 'Full Name': 5 }),
      await send('PATCH', '/members/member-1', {}),
      await send('DELETE', '/members/member-1'),
    ]) {
      expect(answer.headers.get('Server-Timing')).toBe(null)
      expect(answer.headers.get('RateLimit')).toMatch(/^"credential";[^,]*$/)
      const { message = '' } = await answer.json<{ message?: string }>()
      expect(message).not.toMatch(/\d|booking/)
    }
    const seen = await writer.send('DELETE', '/members/member-1')
    expect(rowsRead(seen)).toBeGreaterThan(0)
    expect(await seen.json()).toMatchObject({ message: expect.stringMatching(/\d booking/) })
  },
)

test.each<Restrictions>([
  { collections: ['events'] },
  { privateNotes: false },
  { hideFields: ['email'] },
])('a restricted key does not see the cost of a request: %j', async (restrictions) => {
  const { limited, get } = await newLimited(restrictions)
  expect(rowsRead(await get('/events'))).toBeGreaterThan(0)
  expect((await limited.send('GET', '/events')).headers.get('Server-Timing')).toBe(null)
})

describe('restrictions', () => {
  /** What a request is answered, and in how many calls to the database. */
  async function ask(key: string, path: string, method = 'GET') {
    const { DB, happened } = failingDatabase('lost before', () => false)
    const headers = { 'x-api-key': key, 'CF-Connecting-IP': crypto.randomUUID() }
    const answer = await requestWith({ DB }, path, { method, headers })
    return { status: answer.status, calls: happened.calls, body: await answer.text() }
  }

  test('hold from the next request on, and then take no further round trip', async () => {
    const writer = await newLimited({})
    const { key, keyId } = writer.limited
    const act = { organisationId: writer.id, id: keyId, by: 'a test' }
    await ask(key, '/case-notes')
    expect(await ask(key, '/case-notes')).toMatchObject({ status: 200, calls: 1 })
    await changeKey(env.DB, act, { permissions: all, restrictions: { privateNotes: false } })
    const [first, second] = [await ask(key, '/case-notes'), await ask(key, '/case-notes')]
    expect([first.calls, second.calls, second.body]).toEqual([2, 1, first.body])
    expect(JSON.parse(first.body)).toMatchObject({ caseNotes: [], total: 0 })
    await changeKey(env.DB, act, {
      permissions: ['read'],
      restrictions: { collections: ['members'] },
    })
    expect((await ask(key, '/case-notes/note-1')).status).toBe(403)
    expect((await ask(key, '/case-notes')).status).toBe(403)
    expect((await ask(key, '/members')).status).toBe(200)
    await changeKey(env.DB, act, { permissions: ['read'], restrictions: {} })
    expect((await ask(key, '/case-notes')).body).toContain('note-1')
  })

  test.each([
    [{ collections: ['members'] }, 403],
    [{ allowFrom: ['203.0.113.1'] }, 403],
    [{ privateNotes: false }, 404],
  ] as [Restrictions, number][])(
    '%j are known before anything is deleted',
    async (restrictions, status) => {
      const writer = await newLimited({})
      const { key, keyId } = writer.limited
      expect((await ask(key, '/case-notes')).status).toBe(200)
      const act = { organisationId: writer.id, id: keyId, by: 'a test' }
      await changeKey(env.DB, act, { permissions: all, restrictions })
      expect((await ask(key, '/case-notes/note-1', 'DELETE')).status).toBe(status)
      expect(await documentOf(writer, 'case-notes', 'note-1')).toBeDefined()
    },
  )

  test('added during a write leave the record unchanged', async () => {
    muteLog()
    const writer = await newLimited({})
    const { key, keyId } = writer.limited
    const act = { organisationId: writer.id, id: keyId, by: 'a test' }
    const before = await documentOf(writer, 'bookings', 'booking-1')
    const batch = env.DB.batch.bind(env.DB)
    const DB: D1Database = Object.create(env.DB, {
      prepare: { value: env.DB.prepare.bind(env.DB) },
      batch: {
        value: async (statements: D1PreparedStatement[]) => {
          await changeKey(env.DB, act, {
            permissions: all,
            restrictions: { hideFields: ['email'] },
          })
          return batch(statements)
        },
      },
    })
    const answer = await requestWith({ DB }, '/bookings/booking-1', {
      method: 'PATCH',
      headers: { 'x-api-key': key, 'Content-Type': 'application/json' },
      body: '{"userEmail":"new@example.org"}',
    })
    expect(answer.status).toBe(503)
    expect(await documentOf(writer, 'bookings', 'booking-1')).toEqual(before)
  })

  test('that hide a filter hide what it would cost, at once', async () => {
    const { limited, id, readingKey } = await newLimited({})
    const act = { organisationId: id, id: limited.keyId, by: 'a test' }
    const path = '/members?Phone=07700900123&consent=false'
    expect(await (await limited.send('GET', path)).text()).toContain('07700900123')
    await changeKey(env.DB, act, { permissions: all, restrictions: { hideFields: ['phone'] } })
    let answers = 0
    // The first answer says that it would read too much.
    const costly = (statement: D1PreparedStatement): D1PreparedStatement =>
      Object.create(statement, {
        bind: { value: (...values: unknown[]) => costly(statement.bind(...values)) },
        all: {
          async value() {
            const answer = await statement.all<Json>()
            const [head = {}] = answer.results
            // The head is a JSON list in the first column.
            const [column = ''] = Object.keys(head)
            if (answers++ === 0)
              head[column] = String(head[column]).replaceAll(/(?<=[[,])\d+(?=[,\]])/g, '1000000')
            return answer
          },
        },
      })
    const DB: D1Database = Object.create(env.DB, {
      prepare: { value: (sql: string) => costly(env.DB.prepare(sql)) },
    })
    const askWith = (key: string) => requestWith({ DB }, path, { headers: { 'x-api-key': key } })
    const answer = await askWith(limited.key)
    expect([answer.status, await answer.json()]).toMatchObject([200, { members: [] }])
    expect(answers).toBeGreaterThan(1)
    answers = 0
    expect((await askWith(readingKey)).status).toBe(400)
  })

  test('that change while a list is pulled break it off', async () => {
    const writer = await newLimited({})
    const { key, keyId } = writer.limited
    const people = Array.from({ length: 600 }, (_, n) => ({
      id: `m${n}`,
      document: { memberId: `m${n}`, Email: `m${n}@example.org` },
    }))
    await writer.put('members', people)
    const headers = { 'x-api-key': key }
    const answer = await requestWith({}, '/members?$format=csv', { headers })
    const reader = answer.body?.getReader()
    await reader?.read()
    const act = { organisationId: writer.id, id: keyId, by: 'a test' }
    await changeKey(env.DB, act, { permissions: all, restrictions: { hideFields: ['email'] } })
    await expect(
      (async () => {
        while (!(await reader?.read())?.done);
      })(),
    ).rejects.toThrow()
  })
})

describe('hidden values survive writes', () => {
  const without = ['email', 'phone', 'postcode', 'names', 'free text', 'tags', 'venue', 'start']
  test.each(collections.map(([name, single]) => [name, single] as const))(
    'when it replaces, changes and lists %s',
    async (name, single) => {
      const writer = await newLimited({ hideFields: without })
      const { limited } = writer
      const recordId = String(everything[name]?.id)
      const before = await documentOf(writer, name, recordId)
      const plural = Object.keys(await limited.json(`/${name}`))[0] ?? ''
      const visible = (await limited.json<Json>(`/${name}/${recordId}`))[single] as Json
      for (const [method, path, body] of [
        ['PUT', `/${name}/${recordId}`, visible],
        ['PATCH', `/${name}/${recordId}`, visible],
        ['PATCH', `/${name}`, { [plural]: [visible] }],
      ] as const) {
        const answer = await limited.send(method, path, body)
        expect([path, method, answer.status, await answer.text()]).toEqual([
          path,
          method,
          200,
          expect.not.stringContaining('"updated":1'),
        ])
        expect(await documentOf(writer, name, recordId)).toEqual(before)
      }
    },
  )

  test('when something else is changed, and the areas and the postcodes that find a person', async () => {
    const writer = await newLimited({ hideFields: ['postcode', 'Full Name'] })
    const { limited } = writer
    const before = await documentOf(writer, 'volunteers', 'volunteer-1')
    const changed = { consent: true, 'demographics.age': 7 }
    expect(await limited.status('PUT', '/volunteers/volunteer-1', changed)).toBe(200)
    const { Phone, view, views, ...unchanged } = before
    expect(await documentOf(writer, 'volunteers', 'volunteer-1')).toEqual({
      ...{ ...unchanged, ...changed },
      $answered: { Phone: expect.any(String), view: expect.any(String), views: expect.any(String) },
    })
    expect(unchanged).toMatchObject({ Postcode: 'sw1a 1aa', $postcode: ['SW1A1AA', 'SW1A'] })
  })

  test('when somebody else changes it while the rest is replaced', async () => {
    const writer = await newLimited({ hideFields: ['Phone'] })
    const path = '/members/member-1'
    const { DB, happened } = databaseWithConcurrentChange(() =>
      writer.send('PATCH', path, { Phone: '07700900999' }),
    )
    const answer = await requestWith({ DB }, path, {
      method: 'PUT',
      headers: { 'x-api-key': writer.limited.key, 'Content-Type': 'application/json' },
      body: '{"Full Name":"Ada King"}',
    })
    expect([answer.status, happened()]).toEqual([200, true])
    expect(await documentOf(writer, 'members', 'member-1')).toMatchObject({
      'Full Name': 'Ada King',
      Phone: '07700900999',
    })
  })

  test('and people who share one are not listed as duplicates', async () => {
    const writer = await newLimited({ hideFields: ['Number'] })
    const fields: Field[] = [
      { id: 'Number', name: 'Number', label: 'Number', type: 'uniqueId', order: 0 },
      { id: 'consent', name: 'consent', label: 'Consent', type: 'boolean', order: 1 },
    ]
    await putSchemas(env.DB, writer.id, { members: { name: '', fields } })
    const ids = ['one', 'two']
    const document = { Number: 'N-1' }
    await writer.put(
      'members',
      ids.map((id) => ({ id, document: { ...document, memberId: id } })),
    )
    const members = ids.map((memberId) => ({ memberId, consent: true }))
    const answer = await writer.limited.send('PATCH', '/members', { members })
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { created: 0, updated: 2, unchanged: 0 },
    ])
  })

  test('and a list in which nothing is kept can be changed', async () => {
    const { limited } = await newLimited({ hideFields: ['email', 'venue', 'mail'] })
    const answer = { questionId: 'q', question: 'How old are you?', outcome: '', type: 'number' }
    const path = '/survey-responses/response-1'
    const responses = [{ ...answer, response: 7 }]
    expect(await limited.status('PATCH', path, { responses })).toBe(200)
    expect(await limited.json(path)).toMatchObject({ surveyResponse: { responses } })
    const words = [{ ...answer, type: 'text', response: 'seven' }]
    expect(await limited.status('PATCH', path, { responses: words })).toBe(400)
  })

  test('and is refused when it is given', async () => {
    const writer = await newLimited({ hideFields: ['email', 'Phone', 'responses.response'] })
    const { limited } = writer
    const fault = async (method: string, path: string, body: unknown) => {
      const answer = await limited.send(method, path, body)
      return [answer.status, (await answer.json<{ message: string }>()).message]
    }
    const message = 'is hidden from these credentials: omit it, or send it as they see it.'
    const userEmail = 'new@example.org'
    for (const method of ['PATCH', 'PUT']) {
      const body = { eventId: 'event-1', userEmail }
      expect(await fault(method, '/bookings/booking-1', body)).toEqual([
        400,
        `userEmail: ${message}`,
      ])
      expect(await fault(method, '/members/member-1', { Phone: '07700900999' })).toEqual([
        400,
        'Phone: is not a field of the schema.',
      ])
    }
    expect(await fault('POST', '/bookings', { eventId: 'event-1', userEmail })).toEqual([
      400,
      `userEmail: ${message}`,
    ])
    expect(await fault('POST', '/members', { Phone: '07700900999' })).toEqual([
      400,
      'Phone: is not a field of the schema.',
    ])
    const responses = [{ questionId: 'q', response: 'x' }]
    expect(await fault('PATCH', '/survey-responses/response-1', { responses })).toEqual([
      400,
      `responses: ${message}`,
    ])
  })
})

describe('private case notes', () => {
  const note = (id: string, isPrivate: boolean) => ({
    id,
    document: { ...everything['case-notes']?.document, noteId: id, isPrivate },
  })
  type Feed = { changes: { id: string; change: string }[]; next: string }
  const describeChanges = ({ changes }: Feed) => changes.map(({ id, change }) => `${id} ${change}`)

  test('are nowhere for a key without them', async () => {
    const writer = await newLimited({ privateNotes: false })
    const { limited } = writer
    const open = { ...note('open', false).document, managedBy: writer.id }
    await writer.put('case-notes', [{ id: 'open', document: open }])
    const list = await limited.json<{ caseNotes: Json[] }>('/case-notes')
    expect(list).toMatchObject({ caseNotes: [{ noteId: 'open' }], total: 1 })
    expect(await limited.json('/case-notes?Private=true')).toMatchObject({
      caseNotes: [],
      total: 0,
    })
    expect(await limited.status('GET', '/case-notes/note-1')).toBe(404)
    for (const [method, path, body, status] of [
      ['PATCH', '/case-notes/note-1', {}, 404],
      ['DELETE', '/case-notes/note-1', undefined, 404],
      ['PUT', '/case-notes/note-1', { content: 'x' }, 403],
      ['POST', '/case-notes', { noteId: 'note-1' }, 403],
      ['POST', '/case-notes', { isPrivate: true }, 403],
      ['PATCH', '/case-notes/open', { isPrivate: true }, 403],
      ['DELETE', '/members/member-1?$cascade=true', undefined, 403],
    ] as const)
      expect([method, path, await limited.status(method, path, body)]).toEqual([
        method,
        path,
        status,
      ])
    const answer = await limited.send('DELETE', '/members/member-1')
    expect(await answer.json()).toMatchObject({
      message: expect.stringContaining('Other records refer to this member.'),
    })
    expect(await limited.status('DELETE', '/case-notes/open')).toBe(204)
    expect(await documentOf(writer, 'case-notes', 'note-1')).toBeDefined()
  })

  test('are not among the records of an import', async () => {
    const writer = await newLimited({ privateNotes: false })
    const notes = [note('open', false), note('private', true)]
    const documents = notes.map((it) => ({ ...it.document, managedBy: writer.id }))
    const headers = { 'x-api-key': writer.key, 'Content-Type': 'application/json' }
    const body = JSON.stringify(documents)
    await request('/imports?collection=case-notes', { method: 'POST', headers, body })
    const list = await writer.send('GET', '/imports')
    const { imports } = await list.json<{ imports: { importId: string }[] }>()
    const ids: string[] = []
    let path: string | null = `/imports/${imports[0]?.importId}`
    while (path) {
      const page: { records: { id: string }[]; next: string | null } =
        await writer.limited.json(path)
      ids.push(...page.records.map(({ id }) => id))
      path = page.next && `/imports/${imports[0]?.importId}?$after=${page.next}`
    }
    expect(ids).toEqual(['open'])
  })

  test('appear in the change feed as deletions once they become private', async () => {
    const writer = await newLimited({ privateNotes: false })
    const { limited, json, put, id } = writer
    const feed = async (path: string) => describeChanges(await limited.json<Feed>(path))
    const { next } = await limited.json<Feed>('/changes?$after=latest')
    const unrestricted = await json<Feed>('/changes?$after=latest')
    const since = `/changes?$after=${next}`
    await put(
      'case-notes',
      ['a', 'b', 'c', 'd'].map((id) => note(id, id === 'd')),
    )
    expect(await feed(since)).toEqual(['a created', 'b created', 'c created'])
    await put('case-notes', [note('a', true), note('b', true)])
    expect(await feed(since)).toEqual(['c created', 'a deleted', 'b deleted'])
    await put('case-notes', [note('b', false)])
    expect(await feed(since)).toEqual(['c created', 'a deleted', 'b updated'])
    const remove = (recordId: string) =>
      rows('DELETE FROM records WHERE organisation_id = ? AND id = ?', id, recordId)
    for (const recordId of ['a', 'c', 'd']) await remove(recordId)
    expect(await feed(since)).toEqual(['b updated', 'a deleted', 'c deleted'])
    await put('case-notes', [note('c', true), note('d', false)])
    expect(await feed(since)).toEqual(['b updated', 'a deleted', 'c deleted', 'd created'])
    expect(describeChanges(await json<Feed>(`/changes?$after=${unrestricted.next}`))).toEqual([
      'b updated',
      'a deleted',
      'c created',
      'd created',
    ])
  })

  test('become deletions in any statement that changes them', async () => {
    const writer = await newLimited({ privateNotes: false })
    const { limited, put, id } = writer
    await put('case-notes', [note('a', false)])
    const { next } = await limited.json<Feed>('/changes?$after=latest')
    await rows(
      `UPDATE records SET document = json_set(document, '$.isPrivate', json('true'))
        WHERE organisation_id = ? AND id = 'a'`,
      id,
    )
    expect(describeChanges(await limited.json<Feed>(`/changes?$after=${next}`))).toEqual([
      'a deleted',
    ])
  })
})

test('a restricted key imports only into its collections, and only without hidden fields', async () => {
  const { limited } = await newLimited({ collections: ['events'] })
  const redacted = await newLimited({ hideFields: ['email'] })
  const file = async ({ send }: typeof limited, collection: string) =>
    (await send('POST', `/imports?collection=${collection}`, [{ eventId: 'fair', name: 'Fair' }]))
      .status
  expect(await file(limited, 'events')).toBe(200)
  expect(await file(limited, 'members')).toBe(403)
  expect(await file(redacted.limited, 'events')).toBe(403)
})

test('a file is refused before it is read where the key may not write, or something is hidden from it', async () => {
  const reading = await newLimited({}, ['read'])
  const redacted = await newLimited({ hideFields: ['email'] })
  // Without an id the record is at fault, so nothing would be written.
  for (const { limited } of [reading, redacted])
    for (const collection of ['events', 'members'])
      expect(await limited.status('POST', `/imports?collection=${collection}`, [{}])).toBe(403)
})

test('a file replaces nothing that is hidden from the key while the file is on its way', async () => {
  const writer = await newLimited({})
  const { key, keyId } = writer.limited
  const before = await documentOf(writer, 'bookings', 'booking-1')
  const act = { organisationId: writer.id, id: keyId, by: 'a test' }
  const line = JSON.stringify({ ...before, userEmail: 'new@example.org' })
  const source: UnderlyingSource = {
    async pull(controller) {
      await changeKey(env.DB, act, { permissions: all, restrictions: { hideFields: ['email'] } })
      controller.enqueue(new TextEncoder().encode(line))
      controller.close()
    },
  }
  // Produced when the file is read.
  const body = new ReadableStream(source, { highWaterMark: 0 })
  const headers = { 'x-api-key': key, 'Content-Type': 'application/x-ndjson' }
  const init = { method: 'POST', headers, body }
  const answer = await requestWith(env, '/imports?collection=bookings', init)
  expect(answer.status).toBe(403)
  expect(await documentOf(writer, 'bookings', 'booking-1')).toEqual(before)
})
