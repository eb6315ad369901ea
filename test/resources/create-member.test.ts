import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { parseSchema } from '../../src/records/schema/schema.ts'
import { newPerson } from '../auth/identity.ts'
import { createKey } from '../keys.ts'
import { newOrganisation, request } from '../organisation.ts'

const fields = [
  { id: 'Full Name', type: 'text' },
  { id: 'email', name: 'Email', type: 'email' },
  { id: 'Postcode', type: 'postcode' },
  { id: 'demographics.ethnicity', type: 'select', options: ['A', 'B'] },
  { id: 'interests', type: 'multipleSelect', options: ['x', 'y'] },
  { id: 'age', type: 'number' },
  { id: 'number', type: 'uniqueId' },
  { id: 'phone', type: 'phone' },
  { id: 'line', type: 'divider' },
]

async function withSchema() {
  const organisation = await newOrganisation()
  await organisation.schema('members', parseSchema('members', { fields }).data?.fields ?? [])
  const post = (body: unknown, headers: Record<string, string> = {}, path = '/members') =>
    organisation.get(path, {
      method: 'POST',
      headers: { 'x-api-key': organisation.key, 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const count = async () =>
    (await organisation.json<{ members: unknown[] }>('/members?limit=250')).members.length
  return { ...organisation, post, count }
}

test('a member is created, served and found', async () => {
  const { post, get, json } = await withSchema()
  const answer = await post({
    'Full Name': 'Ada Example',
    Email: 'ada@example.org',
    demographics: { ethnicity: 'A' },
    interests: ['x', 'y'],
    age: 36,
    number: '',
  })
  expect(answer.status).toBe(201)
  const { member } = await answer.json<{ member: { id: string } }>()
  expect(answer.headers.get('Location')).toBe(`/api/v1/members/${member.id}`)
  const served = await (await get(`/members/${member.id}`)).json<{
    member: { fields: { key: string; value: unknown }[] }
  }>()
  expect(served.member.fields.map(({ key, value }) => [key, value])).toEqual([
    ['Full Name', 'Ada Example'],
    ['email', 'ada@example.org'],
    ['demographics.ethnicity', 'A'],
    ['interests', ['x', 'y']],
    ['age', 36],
  ])
  for (const query of [`memberId=${member.id}`, 'demographics.ethnicity=A', 'age=36']) {
    expect(await json(`/members?${query}`)).toMatchObject({ members: [{ memberId: member.id }] })
  }
})

test('every fault of a body is named in one message, and nothing is created', async () => {
  const { post, count } = await withSchema()
  const answer = await post({
    'Full Name': 7,
    email: 'nobody',
    Email: 'a@example.org',
    Shoe: 'x',
    'demographics.ethnicity': 'C',
    line: null,
    'Postcode.ward': "St James's",
  })
  expect(answer.status).toBe(400)
  const { message } = await answer.json<{ message: string }>()
  for (const field of ['Full Name', 'email', 'Email', 'Shoe', 'demographics.ethnicity', 'line']) {
    expect(message).toContain(`${field}: `)
  }
  expect(message).toContain('Postcode.ward: is derived')
  expect(message).not.toContain('nobody')
  expect(await count()).toBe(0)
})

describe('a body that cannot be taken', () => {
  test.each([
    ['{', {}, 400, 'The body is not valid JSON.'],
    ['[]', {}, 400, 'The body must be a JSON object.'],
    ['{}', {}, 400, 'The body gives no field a value.'],
    ['{"Full Name":""}', {}, 400, 'The body gives no field a value.'],
    ['{"Full Name":"a"}', { 'Content-Type': 'text/plain' }, 415, 'Send the body as'],
    [`{"Full Name":"${'a'.repeat(1 << 20)}"}`, {}, 413, 'The body must have at most 1 MiB.'],
    [`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, {}, 400, 'a: is not a field'],
    ['{"Full Name":"a","organisationId":"b"}', {}, 400, 'organisationId: is not allowed'],
  ])('%.30s', async (body, headers: Record<string, string>, status, message) => {
    const { post, count } = await withSchema()
    const answer = await post(body, headers)
    expect(answer.status).toBe(status)
    expect((await answer.json<{ message: string }>()).message).toContain(message)
    expect(await count()).toBe(0)
  })
})

test('a record has at most 100,000 bytes and 2,000 values, and a phone number 50 characters', async () => {
  const { post, count } = await withSchema()
  const bytes = (value: object) => JSON.stringify(value).length
  const beside = bytes({ memberId: crypto.randomUUID(), 'Full Name': '' })
  const largest = 100_000 - beside
  expect((await post({ 'Full Name': 'a'.repeat(largest) })).status).toBe(201)
  for (const [body, message] of [
    [
      { 'Full Name': 'a'.repeat(largest + 1) },
      'The record must have at most 100000 bytes as JSON.',
    ],
    [{ 'Full Name': 'é'.repeat(largest / 2 + 1) }, 'The record must have at most 100000 bytes'],
    [{ interests: Array(2000).fill('x') }, 'The record must have at most 2000 values.'],
    [{ phone: `07700900123${' '.repeat(40)}` }, 'phone: must have at most 50 characters.'],
    [{ email: `a@${'b'.repeat(320)}.org` }, 'email: must'],
  ] as const) {
    const answer = await post(body)
    expect(answer.status).toBe(400)
    expect((await answer.json<{ message: string }>()).message).toContain(message)
  }
  expect(await count()).toBe(1)
})

test('lists the first hundred errors and counts the others', async () => {
  const { post } = await withSchema()
  const names = Array.from({ length: 40_000 }, (_, index) => [`field ${index}`, 1])
  const answer = await post({ [`x${'y'.repeat(300)}`]: 1, ...Object.fromEntries(names) })
  const { message } = await answer.json<{ message: string }>()
  expect(message).toContain(`x${'y'.repeat(255)}…: is not a field of the schema.`)
  expect(message).toContain('field 98: is not a field of the schema. And 39,901 more errors.')
  expect(message.length).toBeLessThan(10_000)
})

test('a key may not name the organisation in the query', async () => {
  const { post, id } = await withSchema()
  for (const organisationId of [id, 'another']) {
    const answer = await post({ 'Full Name': 'a' }, {}, `/members?organisationId=${organisationId}`)
    expect(answer.status).toBe(400)
  }
})

test("a token's organisation in a body is a text", async () => {
  const { id, add, count } = await withSchema()
  const person = newPerson()
  await add(person.email)
  const Authorization = `Bearer ${await person.token()}`
  const create = async (organisationId: unknown, path = '/members') => {
    const headers = { Authorization, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ 'Full Name': 'Ada', organisationId })
    return request(path, { method: 'POST', headers, body })
  }
  for (const wrong of [5, null, [id], { id }, true]) {
    const answers = [await create(wrong), await create(wrong, `/members?organisationId=${id}`)]
    for (const answer of answers) {
      const message = 'organisationId: must be a text.'
      expect([wrong, answer.status]).toEqual([wrong, 400])
      expect(await answer.json()).toEqual({ type: 'BAD_REQUEST', message })
    }
  }
  expect(await count()).toBe(0)
  expect((await create(id)).status).toBe(201)
})

test('50 requests at once with one unique value create one member', async () => {
  const { post, count } = await withSchema()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => post({ 'Full Name': `n${index}`, number: 'N-1' })),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  expect(statuses.filter((status) => status === 400)).toHaveLength(49)
  expect(await count()).toBe(1)
})

test.each([{ 'Full Name': 'Ada' }, { 'Full Name': 'Ada', number: 'N-1' }])(
  '50 requests at once with one Idempotency-Key create one member: %j',
  async (body) => {
    const { post, count } = await withSchema()
    const headers = { 'Idempotency-Key': 'once' }
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(body, headers)))
    const ids = await Promise.all(
      answers.map((answer) => answer.json<{ member: { id: string } }>()),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(ids.map(({ member }) => member.id)).size).toBe(1)
    expect(await count()).toBe(1)
    expect((await post({ 'Full Name': 'Bob' }, headers)).status).toBe(422)
    expect(await count()).toBe(1)
  },
)

test('two keys of an organisation may use one Idempotency-Key', async () => {
  const { id, post, count } = await withSchema()
  const { key } = await createKey(env, id, 'another', 'a test')
  const headers = { 'Idempotency-Key': 'once' }
  expect((await post({ 'Full Name': 'Ada' }, headers)).status).toBe(201)
  expect((await post({ 'Full Name': 'Bob' }, { ...headers, 'x-api-key': key })).status).toBe(201)
  expect(await count()).toBe(2)
})

test('an Idempotency-Key belongs to its credential and lasts 24 hours', async () => {
  const [one, other] = [await withSchema(), await withSchema()]
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  expect((await one.post({ 'Full Name': 'Ada' }, headers)).status).toBe(201)
  expect((await other.post({ 'Full Name': 'Bob' }, headers)).status).toBe(201)
  await env.DB.prepare('UPDATE idempotency_keys SET created = ?')
    .bind('2001-01-01T00:00:00.000Z')
    .run()
  expect((await one.post({ 'Full Name': 'Bob' }, headers)).status).toBe(201)
  expect(await one.count()).toBe(2)
})

test('somebody of two organisations may use one Idempotency-Key in both', async () => {
  const [one, other] = [await withSchema(), await withSchema()]
  const person = newPerson()
  const bearer = `Bearer ${await person.token()}`
  const ids: string[] = []
  for (const { id, add } of [one, other]) {
    await add(person.email)
    const answer = await request(`/members?organisationId=${id}`, {
      method: 'POST',
      headers: {
        Authorization: bearer,
        'Content-Type': 'application/json',
        'Idempotency-Key': 'once',
      },
      body: '{"Full Name":"Ada"}',
    })
    expect(answer.status).toBe(201)
    ids.push((await answer.json<{ member: { id: string } }>()).member.id)
  }
  expect(new Set(ids).size).toBe(2)
  expect([await one.count(), await other.count()]).toEqual([1, 1])
})

test('nothing is created without good credentials', async () => {
  const { act, post, count, id } = await withSchema()
  const body = JSON.stringify({ 'Full Name': 'a' })
  expect((await request('/members', { method: 'POST', body })).status).toBe(401)
  await env.DB.prepare('UPDATE api_keys SET revoked = ? WHERE id = ?').bind('now', act.id).run()
  expect((await post({ 'Full Name': 'a' })).status).toBe(401)
  await env.DB.prepare('UPDATE api_keys SET revoked = NULL WHERE id = ?').bind(act.id).run()
  expect([id, await count()]).toEqual([id, 0])
})
