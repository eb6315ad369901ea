import { env } from 'cloudflare:workers'
import { beforeAll, expect, test, vi } from 'vitest'
import { failingDatabase, requestWith } from '../faults/failing-database.ts'
import { deleteKey } from '../keys.ts'
import { newOrganisation, rowsRead } from '../organisation.ts'
import { idsIn, requestMeasured } from './measured-export.ts'

const many = 9000
const long = 'y'.repeat(300)
let organisation: Awaited<ReturnType<typeof newOrganisation>>

const personOf = (index: number) => ({
  id: `m${index}`,
  document: {
    memberId: `m${index}`,
    name: `Zebulon ${index}`,
    half: index % 2,
    rare: index % 90 === 7,
    mixed: index % 3 ? '7' : 7,
    lot: index >= 5000,
    long: index % 4 ? long : `${long}!`,
  },
})

beforeAll(async () => {
  organisation = await newOrganisation()
  await fill(organisation, many)
}, 120_000)

const pull = (query: string, { key } = organisation) =>
  requestMeasured(`/members?$format=csv${query}`, key)

async function fill({ put, schema }: typeof organisation, count: number) {
  await schema('members', [{ id: 'name', name: 'name', label: 'Name', type: 'text', order: 0 }])
  for (let from = 0; from < count; from += 1000)
    await put(
      'members',
      Array.from({ length: 1000 }, (_, index) => personOf(from + index)),
    )
}

const all = Array.from({ length: many }, (_, index) => personOf(index))

test.each<[string, (index: number) => boolean]>([
  ['', () => true],
  ['half=1', (index) => index % 2 === 1],
  ['rare=true', (index) => index % 90 === 7],
  ['lot=true', (index) => index >= 5000],
  ['half=1&mixed=7', (index) => index % 2 === 1],
  ['half=1&lot=true&rare=true', (index) => index % 2 === 1 && index >= 5000 && index % 90 === 7],
  [`long=${long}&half=0`, (index) => index % 4 === 2],
  ['name=nobody', () => false],
])('a pull of %s gives every record once, in order, from any offset', async (query, passes) => {
  const matching = all.filter((_, index) => passes(index)).map(({ id }) => id)
  const filter = query && `&${query}`
  for (const offset of [0, 1, 700, many]) {
    const { answer } = await pull(`&offset=${offset}${filter}`)
    expect(idsIn(await answer.text())).toEqual(matching.slice(offset))
    const page = await pull(`&offset=${offset}&limit=250${filter}`)
    expect(idsIn(await page.answer.text())).toEqual(matching.slice(offset, offset + 250))
  }
})

test('a whole pull reads hardly more rows than it has records, and one of a filter little more', async () => {
  for (const [query, count, maxRows] of [
    ['', many, 1.05],
    ['&half=1', many / 2, 1.1],
    ['&rare=true', many / 90, 2],
  ] as const) {
    const { answer, cost } = await pull(query)
    expect(idsIn(await answer.text()).length).toBe(count)
    expect(cost.rows / count, query).toBeLessThanOrEqual(maxRows)
  }
})

test('a pull of what changed reads each change once, and every record', async () => {
  for (const [query, count, maxRows] of [
    ['', many, 4.2 * many],
    ['&half=1', many / 2, 5 * many],
    ['&rare=true', many / 90, 700],
    ['&lot=true', many - 5000, 5 * many],
  ] as const) {
    const { answer, cost } = await pull(`&$updatedFrom=2000-01-01${query}`)
    const matching = idsIn(await (await pull(query)).answer.text())
    expect(matching.length).toBe(count)
    expect(idsIn(await answer.text())).toEqual(matching)
    expect(cost.rows, query).toBeLessThanOrEqual(maxRows)
  }
  // Members have no total, so a page reads the rows before it too.
  const page = await organisation.get('/members?$updatedFrom=2000-01-01&offset=100')
  expect((await page.json<{ members: object[] }>()).members).toHaveLength(100)
  expect(rowsRead(page)).toBeLessThanOrEqual(1000)
})

test('no page is read before the one in front of it is taken', async () => {
  const { answer, happened } = await pull('')
  const before = happened.calls
  const reader = answer.body?.getReader()
  const reads: number[] = []
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve))
    reads.push(happened.calls - before)
    if ((await reader?.read())?.done) break
  }
  expect(reads.length).toBeGreaterThan(many / 1000)
  expect(reads.every((calls, taken) => calls <= taken)).toBe(true)
})

test('long records come a few at a time, and short ones with them', async () => {
  const organisation = await newOrganisation()
  const { put, schema } = organisation
  await schema('members', [{ id: 'name', name: 'name', label: 'Name', type: 'text', order: 0 }])
  const sizes = Array.from({ length: 1200 }, (_, index) =>
    index > 400 && index % 100 === 9 ? 400_000 : index,
  )
  for (let from = 0; from < sizes.length; from += 120) {
    const records = sizes.slice(from, from + 120).map((size, index) => {
      const id = `m${from + index}`
      return { id, document: { memberId: id, name: 'x'.repeat(size) } }
    })
    await put('members', records)
  }
  const { answer } = await pull('', organisation)
  const reader = answer.body?.getReader()
  let text = ''
  let largest = 0
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true }
    if (done || !value) break
    largest = Math.max(largest, value.length)
    text += new TextDecoder().decode(value)
  }
  expect(text).toBe(
    `memberId,name\r\n${sizes.map((size, at) => `m${at},${'x'.repeat(size)}\r\n`).join('')}`,
  )
  expect(largest).toBeLessThan(2_000_000)
})

/** Takes the first page, lets something happen, and takes the others. */
async function interrupted({ key }: { key: string }, happen: () => Promise<unknown>, query = '') {
  const answer = await requestWith({}, `/members?$format=csv${query}`, {
    headers: { 'x-api-key': key },
  })
  expect(answer.status).toBe(200)
  const reader = answer.body?.getReader()
  const text = async () => new TextDecoder().decode((await reader?.read())?.value)
  let taken = await text()
  await happen()
  for (let more = await text(); more !== ''; more = await text()) taken += more
  return idsIn(taken)
}

test('a key that is revoked breaks a pull off', async () => {
  const organisation = await newOrganisation()
  await fill(organisation, 1000)
  const { keyId, act } = organisation
  await expect(
    interrupted(organisation, () => deleteKey(env, { ...act, id: keyId })),
  ).rejects.toThrow('could not be finished')
})

test('a key that runs out breaks a pull off', async () => {
  const organisation = await newOrganisation()
  await fill(organisation, 1000)
  const expire = env.DB.prepare('UPDATE api_keys SET expires = ? WHERE id = ?').bind(
    new Date(Date.now() + 60_000).toISOString(),
    organisation.keyId,
  )
  await expire.run()
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    await expect(
      interrupted(organisation, async () => vi.setSystemTime(Date.now() + 61_000)),
    ).rejects.toThrow('could not be finished')
  } finally {
    vi.useRealTimers()
  }
})

test('records that are added or deleted during an export do not shift others', async () => {
  const organisation = await newOrganisation()
  await fill(organisation, 2000)
  const ids = await interrupted(organisation, async () => {
    const gone = env.DB.prepare(
      "DELETE FROM records WHERE organisation_id = ? AND id IN ('m3', 'm249', 'm1500')",
    )
    await gone.bind(organisation.id).run()
    await organisation.put('members', [{ id: 'new', document: { memberId: 'new' } }])
  })
  const remaining = all.slice(0, 2000).flatMap(({ id }) => (id === 'm1500' ? [] : [id]))
  expect(ids).toEqual([...remaining, 'new'])
})

test('what changes while changes are pulled comes again, and nothing is missed', async () => {
  const organisation = await newOrganisation()
  await fill(organisation, 2000)
  const changed = (id: string) => ({ id, document: { memberId: id, name: 'changed' } })
  const ids = await interrupted(
    organisation,
    () => organisation.put('members', ['m3', 'm1500', 'new'].map(changed)),
    '&$updatedFrom=2000-01-01',
  )
  const others = all.slice(0, 2000).flatMap(({ id }) => (id === 'm1500' ? [] : [id]))
  expect(ids).toEqual([...others, 'm3', 'm1500', 'new'])
})

test('a failing database ends an export, and the log names no values', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { DB } = failingDatabase('overloaded before', (call) => call > 2)
  const answer = await requestWith({ DB }, '/members?$format=ndjson&half=0', {
    headers: { 'x-api-key': organisation.key },
  })
  expect(answer.status).toBe(200)
  await expect(answer.arrayBuffer()).rejects.toThrow('The answer could not be finished.')
  expect(logged).toHaveBeenCalledOnce()
  const line = String(logged.mock.calls[0])
  expect(JSON.parse(line)).toMatchObject({ databaseError: expect.stringContaining('overloaded') })
  expect(line).not.toMatch(/Zebulon|half/)
  logged.mockRestore()
})

test('an export that reads too much or is not permitted is rejected before the response starts', async () => {
  const other = await newOrganisation()
  expect(idsIn(await (await pull('', other)).answer.text())).toEqual([])
  const text = await pull(`&organisationId=${organisation.id}`, other)
  expect(text.answer.status).toBe(401)
  const { get, key } = organisation
  const revoked = await get('/members?$format=csv', { headers: { 'x-api-key': `${key}x` } })
  expect(revoked.status).toBe(401)
  const small = await newOrganisation()
  await fill(small, 1000)
  await env.DB.prepare('UPDATE terms SET count = 20000, last = 20000 WHERE organisation_id = ?')
    .bind(small.id)
    .run()
  const dear = await pull(`&long=${long}`, small)
  expect([dear.answer.status, await dear.answer.json()]).toEqual([
    400,
    { type: 'BAD_REQUEST', message: expect.stringContaining('more than 200,000 rows') },
  ])
})
