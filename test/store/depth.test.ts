import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { statement } from '../../src/store/statement.ts'
import { putDocuments } from '../../src/store/write/put.ts'
import { newOrganisation, rowsRead } from '../organisation.ts'
import { findWrongCounts } from './index-counts.ts'

const many = 18_000
const half = many / 2
let organisation: Awaited<ReturnType<typeof newOrganisation>>

beforeAll(async () => {
  organisation = await newLargeOrganisation(many)
}, 120_000)

async function newLargeOrganisation(count: number) {
  const organisation = await newOrganisation()
  for (let from = 0; from < count; from += 4000) {
    const places = Array.from({ length: Math.min(4000, count - from) }, (_, index) => from + index)
    const records = places.map((index) => ({
      id: `m${index}`,
      document: {
        all: 'x',
        parity: index % 2,
        third: index % 3 === 0,
        mixed: index % 2 ? '7' : 7,
        both: ['7', 7],
        rare: index % 900 === 7,
        // A few in each block of the first half, and every other one of the second.
        late: index % (index < half ? 200 : 2) === 0,
      },
    }))
    await organisation.put('members', records)
  }
  return organisation
}

/** A page of members as their ids, and the rows it read. */
async function page(path: string, { get } = organisation) {
  const answer = await get(`/members?${path}`)
  const { members } = await answer.json<{ members: { memberId: string }[] }>()
  return { ids: members.map(({ memberId }) => memberId), read: rowsRead(answer) }
}

test.each([
  ['all=x', many, (index: number) => index],
  ['parity=1', half, (index: number) => 2 * index + 1],
  ['parity=0', half, (index: number) => 2 * index],
  ['rare=true', many / 900, (index: number) => 900 * index + 7],
  [
    'late=true',
    half / 200 + half / 2,
    (index: number) => (index < half / 200 ? 200 * index : half + 2 * (index - half / 200)),
  ],
])('a page of %s reads little at any depth', async (filter, matching, nth) => {
  const offsets = [0, 1, 61, 62, 63, 494, 495, 496, 497, 991, 992, 16_384, half - 101, half - 100]
  for (const offset of [
    ...offsets,
    Math.max(0, matching - 40),
    matching - 1,
    matching,
    10 * matching,
  ]) {
    const { ids, read } = await page(`${filter}&offset=${offset}`)
    const expectedCount = Math.max(0, Math.min(100, matching - offset))
    const expected = Array.from({ length: expectedCount }, (_, index) => `m${nth(offset + index)}`)
    expect([offset, ids]).toEqual([offset, expected])
    // Over uneven blocks, a range may be read in vain.
    const few = filter === 'late=true' ? 40 : 0
    expect(read, `at ${offset}`).toBeLessThanOrEqual(offset === 0 ? 210 : 130 + few + many / 400)
  }
})

test.each(['mixed', 'both'])(
  'a filter on %s finds a text and the number it spells, in order and once',
  async (field) => {
    for (const offset of [0, 200, many - 100]) {
      const { ids } = await page(`${field}=7&offset=${offset}`)
      expect(ids).toEqual(Array.from({ length: 100 }, (_, index) => `m${offset + index}`))
    }
  },
)

test('a page over uneven blocks is full at every offset', async () => {
  const late = (index: number) => index % (index < half ? 200 : 2) === 0
  const places = Array.from({ length: many }, (_, index) => index)
  const both = places.filter((index) => late(index) && index % 3 === 0).map((index) => `m${index}`)
  for (const offset of [0, 1, 5, 29, 30, 31, 1000, both.length - 50]) {
    for (const limit of [1, 3, 100, 250]) {
      const { ids } = await page(`late=true&third=true&offset=${offset}&limit=${limit}`)
      expect([offset, limit, ids]).toEqual([offset, limit, both.slice(offset, offset + limit)])
    }
  }
})

test('without a total, several filters read only up to the end of the page', async () => {
  const { ids, read } = await page('all=x&parity=1')
  expect(ids).toEqual(Array.from({ length: 100 }, (_, index) => `m${2 * index + 1}`))
  expect(read).toBeLessThanOrEqual(150)
  const nothing = await page('all=x&parity=1&third=nothing')
  expect(nothing.ids).toEqual([])
  expect(nothing.read).toBeLessThanOrEqual(40)
  const deep = await page(`third=true&parity=1&mixed=7&both=7&offset=${many / 12}`)
  const expected = Array.from({ length: 100 }, (_, index) => `m${many / 2 + 3 + 6 * index}`)
  expect(deep.ids).toEqual(expected)
  // Half of the blocks by some six terms, and those of the page.
  expect(deep.read).toBeLessThanOrEqual(100 + (many / 496 / 2) * 7 + 100)
})

test('twenty broad filters read each block once per filter', async () => {
  const { put, get } = await newOrganisation()
  const count = 2000
  const fields = Array.from({ length: 20 }, (_, field) => field)
  const members = Array.from({ length: count }, (_, index) => ({
    id: `m${index}`,
    document: Object.fromEntries(fields.map((field) => [`f${field}`, index % 101 !== field * 5])),
  }))
  await put('volunteers', members)
  const passing = members.filter(({ document }) => Object.values(document).every(Boolean))
  const filters = fields.map((field) => `f${field}=true`).join('&')
  for (const offset of [0, 1000, passing.length - 40, passing.length, 9999]) {
    const answer = await get(`/volunteers?${filters}&offset=${offset}`)
    const { volunteers, total } = await answer.json<{
      volunteers: { volunteerId: string }[]
      total: number
    }>()
    expect(total).toBe(passing.length)
    expect(volunteers.map(({ volunteerId }) => volunteerId)).toEqual(
      passing.slice(offset, offset + 100).map(({ id }) => id),
    )
    expect(rowsRead(answer)).toBeLessThanOrEqual(600 + (21 * count) / 496)
  }
})

test('a query that would read too much gets an error with alternatives', async () => {
  const { id, put, get } = await newOrganisation()
  const long = 'x'.repeat(300)
  await put('events', [{ id: 'e', document: { a: 'x', b: 'y', both: ['7', 7], long } }])
  const ask = (path: string) => get(`/events?${path}`)
  expect((await ask('a=x&b=y&limit=1')).status).toBe(200)
  // As it would be of a hundred million events.
  await env.DB.prepare('UPDATE terms SET count = 1e8, last = last * 1e8 WHERE organisation_id = ?')
    .bind(id)
    .run()
  for (const path of [
    ...['a=x&b=y', 'a=x&b=y&offset=7', `long=${long}`, 'both=7'],
    ...[
      '$createdFrom=2000-01-01',
      '$createdFrom=2000-01-01&a=x',
      '$updatedFrom=2000-01-01&a=x&b=y',
    ],
  ]) {
    const answer = await ask(path)
    expect(rowsRead(answer), path).toBeLessThanOrEqual(200)
    expect([path, answer.status, await answer.json()]).toEqual([
      path,
      400,
      {
        type: 'BAD_REQUEST',
        message:
          'This would read more than 200,000 rows. Use fewer filters, a filter that fewer records pass, or a shorter range of time; /changes has everything in order of change.',
      },
    ])
  }
  expect((await ask('a=x')).status).toBe(200)
})

test('an export by offset reads each record once, and the blocks before each page', async () => {
  let read = 0
  let pulled = 0
  for (let offset = 0; offset < many; offset += 250) {
    const answer = await page(`limit=250&offset=${offset}`)
    read += answer.read
    pulled += answer.ids.length
  }
  expect(pulled).toBe(many)
  expect(read).toBeLessThanOrEqual(1.35 * many)
})

test('a member of 14 fields writes at most 43 rows, with the change feed, and its deletion at most 45', async () => {
  const { id: organisationId } = await newOrganisation()
  const count = 1000
  const records = Array.from({ length: count }, (_, index) => {
    const own = ['first', 'last', 'email', 'phone', 'line'].map((field) => [field, field + index])
    const shared = [2, 2, 3, 4, 5, 10, 50, 200, 1].map((of, field) => [`f${field}`, index % of])
    const document = JSON.stringify(Object.fromEntries([...own, ...shared]))
    return { id: `w${index}`, document }
  })
  const scope = { organisationId, collection: 'members' }
  const { meta } = await statement(env.DB, putDocuments(scope, records)).run()
  expect(meta.rows_written / count).toBeLessThanOrEqual(43)
  expect(await findWrongCounts(env.DB, organisationId)).toEqual([])
  for (const ordinal of [1, count / 2, count]) {
    const { meta } = await env.DB.prepare(
      "DELETE FROM records WHERE organisation_id = ? AND collection = 'members' AND ordinal = ?",
    )
      .bind(organisationId, ordinal)
      .run()
    expect([ordinal, meta.rows_written <= 45]).toEqual([ordinal, true])
  }
  expect(await findWrongCounts(env.DB, organisationId)).toEqual([])
})

test('the index stays complete after changes anywhere', async () => {
  const count = 8000
  const changed = await newLargeOrganisation(count)
  const organisationId = changed.id
  const change = (sql: string, ...values: unknown[]) =>
    env.DB.prepare(sql)
      .bind(...values, organisationId)
      .run()
  // The second fills every gap of a term, the third empties blocks.
  for (const [field, value, which] of [
    ['parity', 1, 'ordinal % 7 = 0'],
    ['parity', 1, 'true'],
    ['all', 'y', 'ordinal BETWEEN 2000 AND 4000'],
    ['all', 'x', 'ordinal BETWEEN 2500 AND 3500'],
  ] as const) {
    await change(
      `UPDATE records SET document = json_set(document, '$.' || ?, ?)
      WHERE ${which} AND organisation_id = ?`,
      field,
      value,
    )
    expect(await findWrongCounts(env.DB, organisationId), which).toEqual([])
  }
  await change(
    `DELETE FROM records WHERE ordinal IN (1, 62, 495, 496, 6000, ${count}) AND organisation_id = ?`,
  )
  expect(await findWrongCounts(env.DB, organisationId)).toEqual([])
  const { ids, read } = await page(`parity=1&offset=${count - 106}`, changed)
  expect(ids.at(-1)).toBe(`m${count - 2}`)
  expect(read).toBeLessThanOrEqual(120 + many / 400)
})
