import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { newOrganisation, rowsRead } from '../organisation.ts'
import { miscounts } from './miscounts.ts'

// Enough for blocks of the second level: 128 times 128 postings.
const many = 36_000
const half = many / 2
let organisation: Awaited<ReturnType<typeof newOrganisation>>

beforeAll(async () => {
  organisation = await newOrganisation()
  for (let from = 0; from < many; from += 4000) {
    const records = Array.from({ length: 4000 }, (_, place) => ({
      id: `m${from + place}`,
      document: { all: 'x', parity: place % 2, mixed: place % 2 ? '7' : 7 },
    }))
    await organisation.put('members', records)
  }
}, 120_000)

/** A page of members as their ids, and the rows it read. */
async function page(path: string) {
  const answer = await organisation.get(`/members?${path}`)
  const { members } = await answer.json<{ members: { memberId: string }[] }>()
  return { ids: members.map(({ memberId }) => memberId), read: rowsRead(answer) }
}

test.each([
  ['all=x', many, (place: number) => place],
  ['parity=1', half, (place: number) => 2 * place + 1],
  ['parity=0', half, (place: number) => 2 * place],
])('a page of %s reads at most 1,300 rows at any depth', async (filter, matching, nth) => {
  const offsets = [0, 1, 127, 128, 129, 16_383, 16_384, 16_385, half - 101, half - 100]
  for (const offset of [...offsets, matching - 100, matching - 1, matching, 10 * matching]) {
    const { ids, read } = await page(`${filter}&offset=${offset}`)
    const held = Math.max(0, Math.min(100, matching - offset))
    const expected = Array.from({ length: held }, (_, place) => `m${nth(offset + place)}`)
    expect([offset, ids]).toEqual([offset, expected])
    expect(read, `at ${offset}`).toBeLessThanOrEqual(offset === 0 ? 210 : 1300)
  }
})

test('a filter that finds a text here and the number it spells there gives both in order', async () => {
  for (const offset of [0, 200, many - 100]) {
    const { ids } = await page(`mixed=7&offset=${offset}`)
    expect(ids).toEqual(Array.from({ length: 100 }, (_, place) => `m${offset + place}`))
  }
})

test('a page of two filters ends with the page where no total is told', async () => {
  const { ids, read } = await page('all=x&parity=1')
  expect(ids).toEqual(Array.from({ length: 100 }, (_, place) => `m${2 * place + 1}`))
  expect(read).toBeLessThanOrEqual(1000)
})

test('a whole pull by offset reads its records once', async () => {
  let read = 0
  let pulled = 0
  for (let offset = 0; offset < many; offset += 250) {
    const answer = await page(`limit=250&offset=${offset}`)
    read += answer.read
    pulled += answer.ids.length
  }
  expect(pulled).toBe(many)
  expect(read).toBeLessThanOrEqual(1.05 * many)
})

test('a member of 14 fields takes at most 40 rows written', async () => {
  const { id: organisationId } = await newOrganisation()
  const count = 1000
  const records = Array.from({ length: count }, (_, place) => {
    const own = ['first', 'last', 'email', 'phone', 'line'].map((field) => [field, field + place])
    const shared = [2, 2, 3, 4, 5, 10, 50, 200, 1].map((of, field) => [`f${field}`, place % of])
    return { id: `w${place}`, document: Object.fromEntries([...own, ...shared]) }
  })
  const { meta } = await env.DB.prepare(
    `INSERT INTO records (organisation_id, collection, id, position, document, updated)
    SELECT ?, 'members', value ->> 'id', key + 1, value -> 'document', '' FROM json_each(?)`,
  )
    .bind(organisationId, JSON.stringify(records))
    .run()
  expect(meta.rows_written / count).toBeLessThanOrEqual(40)
  expect(await miscounts(env.DB, organisationId)).toEqual([])
})

test('changes in the middle keep the counts exact, and blocks that grow are split', async () => {
  const { id: organisationId } = organisation
  const change = (sql: string, ...values: unknown[]) =>
    env.DB.prepare(sql)
      .bind(...values, organisationId)
      .run()
  // The second fills every gap of a term, the third empties blocks.
  for (const [field, value, which] of [
    ['parity', 1, 'position % 7 = 0'],
    ['parity', 1, 'true'],
    ['all', 'y', 'position BETWEEN 5000 AND 9000'],
    ['all', 'x', 'position BETWEEN 6000 AND 7000'],
  ] as const) {
    await change(
      `UPDATE records SET document = json_set(document, '$.' || ?, ?)
      WHERE ${which} AND organisation_id = ?`,
      field,
      value,
    )
    expect(await miscounts(env.DB, organisationId), which).toEqual([])
  }
  await change(
    `DELETE FROM records WHERE position IN (1, 128, 129, 20000, ${many}) AND organisation_id = ?`,
  )
  expect(await miscounts(env.DB, organisationId)).toEqual([])
  const largest = await env.DB.prepare(
    'SELECT max(count) AS count FROM blocks WHERE level = 1',
  ).first<{ count: number }>()
  expect(largest?.count).toBeLessThan(256)
  const { ids, read } = await page(`parity=1&offset=${many - 105}`)
  expect(ids.at(-1)).toBe(`m${many - 2}`)
  expect(read).toBeLessThanOrEqual(1300)
})
