import { expect, test } from 'vitest'
import { newOrganisation } from '../organisation.ts'

const fields = [{ id: 'Full Name', name: 'Full Name', label: 'Name', type: 'text', order: 0 }]

async function withSchema() {
  const organisation = await newOrganisation()
  await organisation.schema('members', fields)
  const headers = { 'x-api-key': organisation.key, 'Content-Type': 'application/json' }
  const post = (body: BodyInit, other: Record<string, string> = {}) =>
    organisation.get('/members', { method: 'POST', headers: { ...headers, ...other }, body })
  return { ...organisation, post }
}

const bytes = (text: string, ...more: number[]) =>
  new Uint8Array([...new TextEncoder().encode(text), ...more])
const deep = 20_000

test.each<[string, () => BodyInit, Record<string, string>, number]>([
  ['10 MB', () => `{"Full Name":"${'a'.repeat(10_000_000)}"}`, {}, 413],
  ['arrays 20,000 deep', () => `{"a":${'['.repeat(deep)}${']'.repeat(deep)}}`, {}, 400],
  ['objects 20,000 deep', () => `${'{"Full Name":'.repeat(deep)}1${'}'.repeat(deep)}`, {}, 400],
  ['no object', () => '7', {}, 400],
  ['nothing', () => '', {}, 400],
  ['truncated', () => '{"Full Name":"A', {}, 400],
  ['truncated within a character', () => bytes('{"Full Name":"', 0xc3), {}, 400],
  ['UTF-16', () => bytes('', 0xff, 0xfe, 0x7b, 0, 0x7d, 0), {}, 400],
  [
    'Latin-1',
    () => '{"Full Name":"A"}',
    { 'Content-Type': 'application/json; charset=latin1' },
    415,
  ],
  ['a form', () => 'Full+Name=A', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
  [
    '100,000 unknown keys',
    () => JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, key) => [key, 1]))),
    {},
    400,
  ],
])('a body of %s is refused and creates nothing', async (_, body, headers, status) => {
  const { post, json } = await withSchema()
  const answer = await post(body(), headers)
  expect(answer.status).toBe(status)
  expect(await answer.json()).toEqual({ type: expect.any(String), message: expect.any(String) })
  expect(await json('/members')).toMatchObject({ members: [] })
})

test('of a key that a body gives twice, the last counts', async () => {
  const { post, json } = await withSchema()
  expect((await post('{"Full Name":"A","Full Name":"B"}')).status).toBe(201)
  expect(await json('/members')).toMatchObject({ members: [{ fields: [{ value: 'B' }] }] })
})

test('an address of 16 KB, 200 filters and 1,000 headers are answered', async () => {
  const { get, key } = await withSchema()
  const long = 'a'.repeat(16_000)
  const many = Array.from({ length: 200 }, (_, place) => `f${place}=x`).join('&')
  const headers = Object.fromEntries(
    Array.from({ length: 1000 }, (_, place) => [`x-${place}`, 'x']),
  )
  const statuses = await Promise.all(
    [
      get(`/events?name=${long}`),
      get(`/events?${long}=x`),
      get(`/forms/${long}`),
      get(`/events?${many}`),
      get('/events', { headers: { ...headers, 'x-api-key': key } }),
    ].map(async (answer) => (await answer).status),
  )
  expect(statuses).toEqual([200, 200, 404, 400, 200])
})
