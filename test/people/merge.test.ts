import { env } from 'cloudflare:workers'
import { describe, expect, test, vi } from 'vitest'
import { kinds } from '../../src/model/properties/schema.ts'
import { references } from '../../src/model/references.ts'
import { databaseWithConcurrentChange } from '../faults/concurrent-change.ts'
import { requestWith } from '../faults/failing-database.ts'
import { createKey } from '../keys.ts'
import { rowsRead } from '../organisation.ts'
import { newWriter, statusAndMessage, type Writer } from '../resources/writing.ts'
import { expectOrganisationIndex, rows } from '../store/whole-index.ts'

const people = ['members', 'volunteers', 'partners'] as const

const field = (id: string, type: string, order: number) => ({
  id,
  name: id,
  label: id,
  type,
  order,
})
const fields = [
  field('Name', 'text', 0),
  field('Phone', 'phone', 1),
  field('Number', 'uniqueId', 2),
  field('Town', 'text', 3),
]

/** An organisation with two of a kind, and records that refer to the second. */
async function newPair(kind: (typeof people)[number] = 'members') {
  const writer = await newWriter(fields)
  const { send } = writer
  const put = async (path: string, body: object) =>
    expect([path, (await send('PUT', path, body)).status]).toEqual([path, 201])
  await put(`/${kind}/a`, { Name: 'Ada', Phone: '0113 496 0000' })
  await put(`/${kind}/b`, { Name: 'Ada L', Phone: '0113 496 0999', Number: 'N-2' })
  await put('/events/e', { name: 'Lunch' })
  await put('/forms/f', { type: 'survey' })
  const linkedEntities = (...ids: string[]) => ({ [`${kinds[kind].singular}Ids`]: ids })
  if (kind === 'members') await put('/bookings/booking', { eventId: 'e', memberId: 'b' })
  await put('/survey-responses/response', { surveyId: 'f', linkedEntities: linkedEntities('b') })
  await put('/case-notes/both', { linkedEntities: linkedEntities('b', 'a') })
  const merge = (body: object, headers: Record<string, string> = {}, path = `/${kind}/a/$merge`) =>
    send('POST', path, body, headers)
  return { ...writer, merge }
}

/** The records of an organisation, and everything that a merge notes about them. */
const stateOf = async ({ id }: Pick<Writer, 'id'>) => ({
  records: await rows('SELECT * FROM records WHERE organisation_id = ? ORDER BY row', id),
  deletions: await rows('SELECT * FROM deletions WHERE organisation_id = ?', id),
  history: await rows('SELECT * FROM history WHERE organisation_id = ?', id),
  audit: await rows(
    "SELECT * FROM audit_log WHERE organisation_id = ? AND action LIKE 'merged%'",
    id,
  ),
  responses: await rows('SELECT id FROM idempotency_keys WHERE organisation_id = ?', id),
})

const valuesOf = async ({ id }: Pick<Writer, 'id'>, person: string) => {
  const [row] = await rows(
    "SELECT document FROM records WHERE organisation_id = ? AND id = ? AND collection IN ('members', 'volunteers', 'partners')",
    ...[id, person],
  )
  return row && JSON.parse(String(row.document))
}

describe.each(people)('%s', (kind) => {
  const { singular, id: idName } = kinds[kind]

  test('merge into one: chosen values win, gaps are filled, and every reference follows', async () => {
    const pair = await newPair(kind)
    const { next } = await pair.json<{ next: string }>('/changes?$after=latest')
    const answer = await pair.merge({ from: 'b', fields: { Name: 'Ada Lovelace' } })
    const moved = {
      ...(kind === 'members' && { bookings: 1 }),
      ...{ 'case-notes': 1, 'survey-responses': 1 },
    }
    expect([answer.status, await answer.json()]).toEqual([200, { [singular]: { id: 'a' }, moved }])
    expect(await valuesOf(pair, 'a')).toEqual({
      ...{ [idName]: 'a', Name: 'Ada Lovelace', Phone: '0113 496 0000', Number: 'N-2' },
    })
    // A member of another test's organisation may have the same id: that is 403.
    expect([403, 404]).toContain((await pair.read(`/${kind}/b`)).status)
    const linked = `${singular}Ids`
    expect(await pair.json('/survey-responses/response')).toMatchObject({
      surveyResponse: { linkedEntities: { [linked]: ['a'] } },
    })
    expect(await pair.json('/case-notes/both')).toMatchObject({
      caseNote: { linkedEntities: { [linked]: ['a'] } },
    })
    if (kind === 'members')
      expect(await pair.json('/bookings/booking')).toMatchObject({ booking: { memberId: 'a' } })
    const { changes } = await pair.json<{ changes: { id: string; change: string }[] }>(
      `/changes?$after=${next}`,
    )
    expect(Object.fromEntries(changes.map(({ id, change }) => [id, change]))).toEqual({
      a: 'updated',
      b: 'deleted',
      both: 'updated',
      response: 'updated',
      ...(kind === 'members' && { booking: 'updated' }),
    })
    expect((await stateOf(pair)).audit).toMatchObject([
      {
        actor: `writer (${pair.key.slice(0, 8)}…)`,
        action: `merged ${singular}`,
        target: 'b into a',
      },
    ])
    for (const path of references.filter(({ to }) => to === kind))
      expect(await pair.json(`/${path.from}?${path.path}=b`)).toMatchObject({ total: 0 })
    await expectOrganisationIndex(pair.id)
  })
})

test('the record that stays may have what the deleted record had, and no third one may', async () => {
  const { merge, send, id } = await newPair()
  await send('PUT', '/members/c', { Name: 'Carol', Number: 'N-3' })
  expect(await statusAndMessage(await merge({ from: 'b', fields: { Number: 'N-3' } }))).toEqual([
    400,
    'fields.Number: is already used by another member.',
  ])
  expect((await merge({ from: 'b', fields: { Number: 'N-2' } })).status).toBe(200)
  expect(await valuesOf({ id }, 'a')).toMatchObject({ Number: 'N-2' })
})

test('null clears a value, and no gap is filled with it', async () => {
  const pair = await newPair()
  const chosen = { Number: null, Phone: '' }
  expect((await pair.merge({ from: 'b', fields: chosen })).status).toBe(200)
  const { $answered, ...values } = await valuesOf(pair, 'a')
  expect(values).toEqual({ memberId: 'a', Name: 'Ada' })
  expect(Object.keys($answered)).toEqual(['Phone', 'Number'])
})

test('fields that were cleared are filled too, and stay filled', async () => {
  const pair = await newPair()
  await pair.send('PUT', '/forms/f', { type: 'survey', schemaForm: true, formFor: 'Members' })
  const answer = (id: string, date: string, town: string) =>
    pair.send('PUT', `/survey-responses/${id}`, {
      ...{ surveyId: 'f', date, linkedEntities: { memberIds: ['a'] } },
      responses: [{ questionId: 'Town', response: town }],
    })
  await answer('earlier', '2024-01-01T00:00:00.000Z', 'Hull')
  await pair.send('PATCH', '/members/a', { Phone: null, Town: null })
  await pair.send('PATCH', '/members/b', { Town: 'Leeds' })
  expect((await pair.merge({ from: 'b' })).status).toBe(200)
  const merged = {
    memberId: 'a',
    Name: 'Ada',
    Phone: '0113 496 0999',
    Number: 'N-2',
    Town: 'Leeds',
  }
  expect(await valuesOf(pair, 'a')).toEqual(merged)
  await answer('old', '2024-02-01T00:00:00.000Z', 'York')
  expect(await valuesOf(pair, 'a')).toMatchObject(merged)
})

test('a request that is wrong changes nothing', async () => {
  const pair = await newPair()
  const { merge } = pair
  const other = await newPair()
  await other.send('PUT', '/members/theirs', { Name: 'Theirs' })
  await pair.send('PUT', '/volunteers/volunteer', { Name: 'Vera' })
  const before = await stateOf(pair)
  const another = 'from: must be the id of another member.'
  for (const [body, status, message, path] of [
    [{ from: 'a' }, 400, another],
    [{ from: 'nobody' }, 400, another],
    [{ from: 'theirs' }, 400, another],
    [{ from: 'volunteer' }, 400, another],
    [{ from: 'e' }, 400, another],
    [{ from: 'b' }, 404, 'There is no member with this memberId.', '/members/nobody/$merge'],
    [{ from: 'b' }, 404, 'There is no member with this memberId.', '/members/theirs/$merge'],
    [{ from: 'b' }, 404, 'This path does not exist.', '/events/e/$merge'],
    [{}, 400, 'from: must be a text.'],
    [{ from: '' }, 400, 'from: must not be empty.'],
    [{ from: 'b', fields: [] }, 400, 'fields: must be an object.'],
    [{ from: 'b', into: 'a' }, 400, 'into: is not a property here.'],
    [
      { from: 'b', fields: { Phone: '1', Shoe: 7, memberId: 'b' } },
      400,
      'fields.memberId: must be the one in the path. fields.Phone: must have 6 to 20 digits. fields.Shoe: is not a field of the schema.',
    ],
    [
      { from: 'b', fields: { Name: 'x'.repeat(100_000) } },
      400,
      'fields: The record must have at most 100000 bytes as JSON.',
    ],
  ] as const)
    expect([body, await statusAndMessage(await merge(body, {}, path))]).toEqual([
      body,
      [status, message],
    ])
  expect(await statusAndMessage(await merge({ from: 'b' }, { 'If-Match': '"0"' }))).toEqual([
    412,
    expect.any(String),
  ])
  expect(await stateOf(pair)).toEqual(before)
  const { etag } = await pair.read('/members/a')
  expect((await merge({ from: 'b' }, { 'If-Match': etag })).status).toBe(200)
})

test('only an unrestricted key that may write merges people', async () => {
  const pair = await newPair()
  const before = await stateOf(pair)
  const everywhere = ['members', 'bookings', 'survey-responses', 'case-notes']
  for (const [may, limits] of [
    [['read', 'create-members'], undefined],
    [['read', 'write'], { collections: everywhere }],
    [['read', 'write'], { collections: ['events'] }],
    [['read', 'write'], { privateNotes: false as const }],
    [['read', 'write'], { hideFields: ['email'] }],
  ] as const) {
    const { key } = await createKey(env, pair.id, 'x', 'a test', undefined, [...may], limits)
    const answer = await pair.merge({ from: 'b' }, { 'x-api-key': key })
    expect([limits, answer.status]).toEqual([limits, 403])
  }
  expect(await stateOf(pair)).toEqual(before)
  const { key } = await createKey(env, pair.id, 'x', 'a test', undefined, ['write'])
  expect((await pair.merge({ from: 'b' }, { 'x-api-key': key })).status).toBe(200)
})

test("another organisation's people with the same ids do not change", async () => {
  const [own, other] = [await newPair(), await newPair()]
  const before = await stateOf(other)
  expect((await own.merge({ from: 'b' })).status).toBe(200)
  expect(await stateOf(other)).toEqual(before)
})

test('a repeated request returns the first response', async () => {
  const { merge, send, id } = await newPair()
  const again = { 'Idempotency-Key': 'once' }
  const first = await merge({ from: 'b' }, again)
  expect(first.status).toBe(200)
  const body = await first.json()
  await send('PUT', '/members/b', { Name: 'Somebody new' })
  const second = await merge({ from: 'b' }, again)
  expect([second.status, await second.json()]).toEqual([200, body])
  expect(await valuesOf({ id }, 'b')).toMatchObject({ Name: 'Somebody new' })
  expect((await merge({ from: 'b', fields: {} }, again)).status).toBe(422)
})

/** Sends a merge while something happens between its reads and its transaction. */
const mergeAfter = async (
  pair: Awaited<ReturnType<typeof newPair>>,
  act: () => Promise<unknown>,
) => {
  const { DB, happened } = databaseWithConcurrentChange(act)
  const answer = await requestWith({ ...env, DB }, '/members/a/$merge', {
    method: 'POST',
    headers: { 'x-api-key': pair.key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ from: 'b', fields: { Name: 'Chosen' } }),
  })
  expect(happened()).toBe(true)
  return answer
}

test('concurrent writes of others are not lost', async () => {
  const pair = await newPair()
  const answer = await mergeAfter(pair, async () => {
    await pair.send('PATCH', '/bookings/booking', { userName: 'Ada B' })
    await pair.send('PUT', '/bookings/late', { eventId: 'e', memberId: 'b' })
    await pair.send('PATCH', '/members/a', { Town: 'Leeds', Name: 'Ada again' })
  })
  expect(await answer.json()).toMatchObject({ moved: { bookings: 2 } })
  expect(await valuesOf(pair, 'a')).toMatchObject({
    Name: 'Chosen',
    Town: 'Leeds',
    Number: 'N-2',
  })
  expect(await pair.json('/bookings/booking')).toMatchObject({
    booking: { memberId: 'a', userName: 'Ada B' },
  })
  expect(await pair.json('/bookings/late')).toMatchObject({ booking: { memberId: 'a' } })
  await expectOrganisationIndex(pair.id)
})

test.each([
  ['the other was deleted', (pair: Writer) => pair.send('DELETE', '/members/b?$cascade=true'), 400],
  ['this one was deleted', (pair: Writer) => pair.send('DELETE', '/members/a?$cascade=true'), 404],
  [
    'a third person took the value',
    async (pair: Writer) => {
      await pair.send('PATCH', '/members/b', { Number: null })
      await pair.send('PUT', '/members/c', { Number: 'N-2' })
    },
    200,
  ],
])('a merge is decided by the records in its transaction: %s', async (_, act, status) => {
  const pair = await newPair()
  const answer = await mergeAfter(pair, () => act(pair))
  expect(answer.status).toBe(status)
  const [{ count } = {}] = await rows(
    "SELECT count(*) AS count FROM audit_log WHERE organisation_id = ? AND action LIKE 'merged%'",
    pair.id,
  )
  expect(count).toBe(status === 200 ? 1 : 0)
  await expectOrganisationIndex(pair.id)
})

test('a merge that fails at any statement changes nothing', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const pair = await newPair()
  const before = await stateOf(pair)
  let statements = Number.POSITIVE_INFINITY
  for (let index = 0; index < statements; index++) statements = await failBehind(pair, index)
  expect(statements).toBeGreaterThan(6)
  expect(await stateOf(pair)).toEqual(before)
})

/** Sends a merge with a failing statement after one of the merge's; returns the number of the merge's statements. */
async function failBehind({ key }: Writer, index: number): Promise<number> {
  let count = 0
  const broken = env.DB.prepare('INSERT INTO terms (id) VALUES (NULL)')
  const DB: D1Database = Object.create(env.DB, {
    prepare: { value: env.DB.prepare.bind(env.DB) },
    batch: {
      value: (statements: D1PreparedStatement[]) => {
        count = statements.length
        return env.DB.batch(statements.toSpliced(index + 1, 0, broken))
      },
    },
  })
  const answer = await requestWith({ ...env, DB }, '/members/a/$merge', {
    method: 'POST',
    body: '{"from":"b"}',
    headers: { 'x-api-key': key, 'Content-Type': 'application/json', 'Idempotency-Key': 'x' },
  })
  expect(answer.status).toBe(500)
  return count
}

test('up to 1,000 records move at once, and more are refused', async () => {
  const pair = await newPair()
  const bookings = (from: number, count: number) =>
    Array.from({ length: count }, (_, place) => ({
      id: `b-${from + place}`,
      document: { bookingId: `b-${from + place}`, eventId: 'e', memberId: 'b' },
    }))
  await pair.put('bookings', bookings(0, 998))
  const before = await stateOf(pair)
  const refused = await pair.merge({ from: 'b' })
  expect(await statusAndMessage(refused)).toEqual([
    400,
    'from: a merge moves at most 1,000 records. 999 bookings, 1 case note, 1 survey response refer to this member: link some of these to the other member first.',
  ])
  expect(rowsRead(refused)).toBeLessThan(200)
  expect(await stateOf(pair)).toEqual(before)
  await pair.send('DELETE', '/bookings/b-0')
  const done = await pair.merge({ from: 'b' })
  expect(await done.json()).toMatchObject({ moved: { bookings: 998 } })
  expect(rowsRead(done)).toBeLessThan(100_000)
  await expectOrganisationIndex(pair.id)
})

test('long ids with the same beginning are distinguished, and other links keep their order', async () => {
  const { send, json, id } = await newWriter(fields)
  const [long, alike] = ['x', 'y'].map((end) => `${'é'.repeat(150)}${end}`)
  for (const person of ['a', long, alike])
    await send('PUT', `/members/${encodeURIComponent(String(person))}`, { Name: 'Ada' })
  const note = (memberIds: unknown[]) => ({ linkedEntities: { memberIds } })
  await send('PUT', '/case-notes/own', note([alike, long]))
  await send('PUT', '/case-notes/other', note([alike]))
  const answer = await send('POST', '/members/a/$merge', { from: long })
  expect(await answer.json()).toEqual({ member: { id: 'a' }, moved: { 'case-notes': 1 } })
  expect(await json('/case-notes/own')).toMatchObject({ caseNote: note([alike, 'a']) })
  expect(await json('/case-notes/other')).toMatchObject({ caseNote: note([alike]) })
  await expectOrganisationIndex(id)
})

test.each([
  ['the latest answer fills a field', {}, 'Leeds'],
  ['no answer replaces a chosen value', { Town: 'Hull' }, 'Hull'],
])('answers to schema forms follow: %s', async (_, fields, town) => {
  const pair = await newPair()
  await pair.send('PUT', '/forms/f', { type: 'survey', schemaForm: true, formFor: 'Members' })
  for (const [person, date, response] of [
    ['a', '2024-01-01T00:00:00.000Z', 'Hull'],
    ['b', '2024-06-01T00:00:00.000Z', 'Leeds'],
  ])
    await pair.send('PUT', `/survey-responses/of-${person}`, {
      surveyId: 'f',
      date,
      linkedEntities: { memberIds: [person] },
      responses: [{ questionId: 'Town', response }],
    })
  expect(await valuesOf(pair, 'a')).toMatchObject({ Town: 'Hull' })
  expect(await valuesOf(pair, 'b')).toMatchObject({ Town: 'Leeds' })
  expect((await pair.merge({ from: 'b', fields })).status).toBe(200)
  expect(await valuesOf(pair, 'a')).toMatchObject({ Name: 'Ada', Town: town })
})
