import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseSchema } from '../../src/records/schema/schema.ts'
import { failingDatabase, requestWith } from '../faults/failing-database.ts'
import { facts } from '../geography/facts.ts'
import { loadFacts } from '../geography/load-facts.ts'
import { newWriter, statusAndMessage } from './writing.ts'

const cases = [
  { id: 'Full Name', type: 'text' },
  { id: 'email', name: 'Email', type: 'email' },
  { id: 'Postcode', type: 'postcode' },
  { id: 'demographics.ethnicity', type: 'select', options: ['A', 'B'] },
  { id: 'interests', type: 'multipleSelect', options: ['x', 'y'] },
  { id: 'number', type: 'uniqueId' },
]
const { fields = [] } = parseSchema('members', { fields: cases }).data ?? {}

/** A writer, and a person's values as a single shows them. */
async function newPeople() {
  const writer = await newWriter(fields)
  const valuesOf = async (path: string) => {
    const { body } = await writer.read(path)
    const { fields } = Object.values(JSON.parse(body))[0] as {
      fields: { key: string; value: unknown }[]
    }
    return Object.fromEntries(fields.map(({ key, value }) => [key, value]))
  }
  const document = async (id: string) =>
    JSON.parse(
      String(
        await env.DB.prepare('SELECT document FROM records WHERE organisation_id = ? AND id = ?')
          .bind(writer.id, id)
          .first('document'),
      ),
    )
  return { ...writer, valuesOf, document }
}

test('people are given flat, by id or name, nested, or as fields', async () => {
  const { send, valuesOf } = await newPeople()
  const values = {
    'Full Name': 'Ada',
    email: 'a@example.org',
    'demographics.ethnicity': 'A',
    interests: ['x'],
  }
  const pairs = Object.entries(values).map(([key, value]) => ({ key, value }))
  for (const body of [
    values,
    {
      'Full Name': 'Ada',
      Email: 'a@example.org',
      demographics: { ethnicity: 'A' },
      interests: ['x'],
    },
    { fields: pairs },
  ]) {
    const answer = await send('PUT', '/volunteers/v', body)
    expect([200, 201]).toContain(answer.status)
    expect(await valuesOf('/volunteers/v')).toEqual(values)
  }
  for (const patch of [
    { Email: 'b@example.org', demographics: { ethnicity: null }, interests: ['y'] },
    {
      fields: [
        { key: 'email', value: 'b@example.org' },
        { key: 'demographics.ethnicity', value: null },
        { key: 'interests', value: ['y'] },
      ],
    },
  ]) {
    await send('PUT', '/volunteers/v', values)
    expect((await send('PATCH', '/volunteers/v', patch)).status).toBe(200)
    expect(await valuesOf('/volunteers/v')).toEqual({
      'Full Name': 'Ada',
      email: 'b@example.org',
      interests: ['y'],
    })
  }
  expect(
    await statusAndMessage(
      await send('PATCH', '/volunteers/v', { email: 'x', Shoe: 1, 'Postcode.ward': 'x' }),
    ),
  ).toEqual([
    400,
    'email: must be one email address. Shoe: is not a field of the schema. Postcode.ward: is derived from the postcode and cannot be given.',
  ])
  expect(await statusAndMessage(await send('POST', '/volunteers', {}))).toEqual([
    400,
    'The body gives no field a value.',
  ])
})

test('keeps stored values that a request cannot contain: dates of answers, fields no longer in the schema, values no longer valid', async () => {
  const { send, put, document, read } = await newPeople()
  const stored = {
    memberId: 'm',
    'Full Name': 'Ada',
    email: 'no address any more',
    interests: ['x'],
    shoe: 5,
    $answered: { 'Full Name': '2025-01-01', interests: '2025-01-02' },
  }
  await put('members', [{ id: 'm', document: stored }])
  const { etag, body } = await read('/members/m')
  const { member } = JSON.parse(body)
  const again = await send('PUT', '/members/m', member)
  expect([again.status, again.headers.get('ETag')]).toEqual([200, etag])
  expect((await send('PATCH', '/members/m', { interests: ['y'] })).status).toBe(200)
  expect(await document('m')).toEqual({
    ...stored,
    interests: ['y'],
    $answered: { 'Full Name': '2025-01-01' },
  })
})

test('people cannot share a unique value in any spelling', async () => {
  const { send, json } = await newPeople()
  await send('PUT', '/members/a', { number: '1' })
  const taken = [400, 'number: is already used by another member.']
  expect(await statusAndMessage(await send('PUT', '/members/b', { number: '1' }))).toEqual(taken)
  await send('PUT', '/members/b', { number: '2' })
  expect(await statusAndMessage(await send('PATCH', '/members/b', { number: '1' }))).toEqual(taken)
  expect(await statusAndMessage(await send('POST', '/members', { number: '1' }))).toEqual(taken)
  const members = (...numbers: string[]) => ({
    members: numbers.map((number, index) => ({ memberId: 'abc'[index], number })),
  })
  expect(await statusAndMessage(await send('PATCH', '/members', members('3', '3')))).toEqual([
    400,
    'members.1.number: has the same value as members.0.number.',
  ])
  await send('PUT', '/members/z', { number: '9' })
  expect(await statusAndMessage(await send('PATCH', '/members', members('3', '4', '9')))).toEqual([
    400,
    'members.2.number: is already used by another member.',
  ])
  const swapped = await send('PATCH', '/members', members('2', '1'))
  expect(await swapped.json()).toEqual({ created: 0, updated: 2, unchanged: 0 })
  const all = await Promise.all(
    Array.from({ length: 50 }, (_, index) => send('PUT', `/members/n${index}`, { number: '7' })),
  )
  expect(all.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(await json('/members?number=7')).toMatchObject({ members: [{}] })
})

test('a patch of one field of a member with 14 writes at most 12 rows, in two calls', async () => {
  const wide = Array.from({ length: 14 }, (_, index) => ({ id: `f${index}`, type: 'text' }))
  const { fields } = parseSchema('members', { fields: wide }).data ?? {}
  const { send, key } = await newWriter(fields)
  const values = Object.fromEntries(wide.map(({ id }) => [id, `${id} of this member`]))
  await send('PUT', '/members/m', values)
  await send('PUT', '/members/n', { f0: 'of another' })
  const patch = async (headers: Record<string, string>, value: string) => {
    const { DB, happened } = failingDatabase('lost before', () => false)
    let writes = 0
    const batch = async (statements: D1PreparedStatement[]) => {
      const results = await DB.batch(statements)
      for (const { meta } of results) writes += meta.rows_written
      return results
    }
    const answer = await requestWith(
      { DB: Object.create(DB, { batch: { value: batch } }) },
      '/members/m',
      { method: 'PATCH', headers, body: JSON.stringify({ f3: value }) },
    )
    expect(answer.status).toBe(200)
    return { written: writes, calls: happened.calls }
  }
  const headers = { 'x-api-key': key, 'Content-Type': 'application/json' }
  // The first use of a key is noted.
  await patch(headers, 'something')
  const { written: writes, calls } = await patch(headers, 'something else')
  expect(calls).toBe(2)
  expect(writes).toBeLessThanOrEqual(12)
  expect(writes).toBeGreaterThan(5)
})

describe('with a directory of postcodes', () => {
  beforeAll(() => loadFacts('2025-11'))

  test("only a changed postcode updates a person's areas", async () => {
    const { send, valuesOf, document } = await newPeople()
    await send('PUT', '/members/m', { 'Full Name': 'Ada', Postcode: facts[0]?.postcode })
    const placed = await valuesOf('/members/m')
    expect(Object.keys(placed).length).toBeGreaterThan(3)
    await send('PATCH', '/members/m', { 'Full Name': 'Bea' })
    expect(await valuesOf('/members/m')).toEqual({ ...placed, 'Full Name': 'Bea' })
    await send('PATCH', '/members/m', { Postcode: null })
    expect(await valuesOf('/members/m')).toEqual({ 'Full Name': 'Bea' })
    expect(Object.keys(await document('m'))).toEqual(['memberId', 'Full Name', '$answered'])
  })
})
