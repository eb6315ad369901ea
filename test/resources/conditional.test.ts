import { env } from 'cloudflare:workers'
import { beforeAll, expect, test, vi } from 'vitest'
import type { Permission } from '../../src/access/permissions.ts'
import { pageMemory } from '../../src/formats/page-memory.ts'
import { everything, putEverything } from '../examples/everything.ts'
import { fields } from '../examples/people.ts'
import { changeKey } from '../keys.ts'
import { newOrganisation, rowsRead } from '../organisation.ts'

let organisation: Awaited<ReturnType<typeof newOrganisation>>

beforeAll(async () => {
  organisation = await newOrganisation()
  await putEverything(organisation)
  for (const [collection, { document }] of Object.entries(everything)) {
    const ids = Array.from({ length: 30 }, (_, index) => `${collection}-${index}`)
    await organisation.put(
      collection,
      ids.map((id) => ({ id, document })),
    )
  }
})

const manyFilters = Array.from({ length: 20 }, (_, index) => `filter${index}=${index}`).join('&')
const queries = [
  ...['', 'limit=250', 'offset=20', 'name=x&id=y', manyFilters, '$include=times'],
  ...['$format=csv', '$format=ndjson&limit=5', `$createdFrom=2020-01-01&${manyFilters}`],
  '$updatedFrom=2020-01-01',
]

const getUnless = (path: string, tags: string) =>
  organisation.get(path, { headers: { 'x-api-key': organisation.key, 'If-None-Match': tags } })

/** Decodes the body without a warning about its type. */
const textOf = async (response: Response) => new TextDecoder().decode(await response.arrayBuffer())

test.each(Object.keys(everything))('an unchanged list of %s reads at most 5 rows', async (name) => {
  for (const query of queries) {
    const path = `/${name}?${query}`
    const first = await organisation.get(path)
    expect([path, first.status]).toEqual([path, 200])
    const text = await textOf(first)
    const etag = first.headers.get('ETag') ?? ''
    const repeated = await organisation.get(path)
    expect(await textOf(repeated)).toBe(text)
    expect(repeated.headers.get('ETag')).toBe(etag)
    if (!query.includes('format')) expect(rowsRead(repeated), path).toBeLessThanOrEqual(5)
    const forget = vi.spyOn(pageMemory, 'get').mockReturnValue(undefined)
    const others = Array.from({ length: 9 }, (_, n) => `W/"${n}-${'0'.repeat(24)}"`)
    const unchanged = await getUnless(path, [...others, etag].join(', '))
    forget.mockRestore()
    expect([path, unchanged.status, await unchanged.text()]).toEqual([path, 304, ''])
    expect(rowsRead(unchanged), path).toBeLessThanOrEqual(5)
  }
})

test('values that differ after a question mark are different pages', async () => {
  const [one, other] = ['name=a?b', 'name=a?c'].map(async (query) => {
    const response = await organisation.get(`/events?${query}`)
    return response.headers.get('ETag')
  })
  expect(await one).toBeTruthy()
  expect(await other).not.toBe(await one)
})

test('ten clients that poll a page read at most 50 rows a round', async () => {
  const path = '/bookings?limit=250'
  const clients = Array.from({ length: 10 })
  const etag = (await organisation.get(path)).headers.get('ETag') ?? ''
  for (const tags of [etag, '"other"']) {
    const responses = await Promise.all(clients.map(() => getUnless(path, tags)))
    expect(new Set(responses.map(({ status }) => status))).toEqual(
      new Set([tags === etag ? 304 : 200]),
    )
    const rows = responses.map(rowsRead).reduce((sum, count) => sum + count, 0)
    expect(rows).toBeLessThanOrEqual(50)
  }
})

test('the ETag of a single record follows its schema and the restrictions of the key', async () => {
  const { id, act, key, get, schema, put } = await newOrganisation()
  await schema('members', fields)
  await put('members', [{ id: 'm', document: { memberId: 'm', 'Full Name': 'Ada Obi' } }])
  const path = '/members/m'
  const read = async (etag = '') => {
    const response = await get(path, { headers: { 'x-api-key': key, 'If-None-Match': etag } })
    return [response.status, response.headers.get('ETag') ?? ''] as const
  }
  const [, etag] = await read()
  expect(await read(etag)).toEqual([304, etag])
  const permissions: Permission[] = ['read', 'write']
  await changeKey(env.DB, act, { permissions, restrictions: { hideFields: ['names'] } })
  expect(await read(etag)).toEqual([200, expect.not.stringContaining(etag)])
  await changeKey(env.DB, act, { permissions, restrictions: {} })
  expect(await read(etag)).toEqual([304, etag])
  await env.DB.prepare("UPDATE schemas SET fields = '[]' WHERE organisation_id = ?").bind(id).run()
  expect(await read(etag)).toEqual([200, expect.not.stringContaining(etag)])
  const update = await get(path, {
    method: 'PATCH',
    headers: { 'x-api-key': key, 'If-Match': etag, 'Content-Type': 'application/json' },
    body: '{}',
  })
  expect(update.status).toBe(200)
})

test('an If-None-Match header has a list of tags, weak or not, or an asterisk', async () => {
  const path = '/events?name=x&id=y'
  const etag = (await organisation.get(path)).headers.get('ETag') ?? ''
  const zeros = '0'.repeat(24)
  const statuses = {
    [etag]: 304,
    [etag.slice(2)]: 304,
    [`"other", ${etag}`]: 304,
    '*': 304,
    [`${'"other",'.repeat(10)}${etag}`]: 200,
    [etag.replace(/-.*"/, `-${zeros}"`)]: 200,
    [`W/"999999999-${zeros}"`]: 200,
    'W/"': 200,
  }
  for (const [tags, status] of Object.entries(statuses)) {
    const response = await getUnless(path, tags)
    expect([tags, response.status, response.headers.get('ETag')]).toEqual([tags, status, etag])
  }
  expect((await getUnless('/events?id=y&name=x', etag)).status).toBe(304)
  expect((await getUnless('/events?id=x&name=y', etag)).status).toBe(200)
})
