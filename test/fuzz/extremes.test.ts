import { expect, test } from 'vitest'
import { newPerson } from '../auth/identity.ts'
import { newOrganisation, request } from '../organisation.ts'

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

test('a body that gives a key twice is refused', async () => {
  const { post, json } = await withSchema()
  expect((await post('{"Full Name":"A","Full Name":"B"}')).status).toBe(400)
  expect(await json('/members')).toMatchObject({ members: [] })
})

test.each(['key', 'token'])(
  'with a %s, an address of 16 KB, 200 filters and 1,000 headers are answered',
  async (by) => {
    const { id, key, add } = await withSchema()
    const person = newPerson()
    await add(person.email)
    const long = 'a'.repeat(16_000)
    const many = Array.from({ length: 200 }, (_, index) => `f${index}=x`).join('&')
    const headers = new Headers(
      Array.from({ length: 1000 }, (_, index): [string, string] => [`x-${index}`, 'x']),
    )
    const ask = async (path: string, headers = new Headers()) => {
      if (by === 'key') headers.set('x-api-key', key)
      else headers.set('Authorization', `Bearer ${await person.token()}`)
      return (await request(`${path}&organisationId=${id}`, { headers })).status
    }
    const statuses = [
      await ask(`/events?name=${long}`),
      await ask(`/events?${long}=x`),
      await ask(`/forms/${long}?`),
      await ask(`/members/${long}?`),
      await ask(`/events?${many}`),
      await ask('/events?', headers),
    ]
    expect(statuses).toEqual([400, 400, 404, 404, 400, 200])
  },
)
