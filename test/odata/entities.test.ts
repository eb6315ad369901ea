import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createKey } from '../keys.ts'
import { muteLog } from '../logs/mute.ts'
import { newOrganisation, rowsRead } from '../organisation.ts'
import { type Entities, type Entity, openOData } from './service.ts'

const eventWith = (eventId: string, properties: object = {}) => ({
  id: eventId,
  document: { eventId, name: eventId, ...properties },
})

const organisation = await newOrganisation([
  { id: 'Full Name', name: 'n', label: 'Name', type: 'text', order: 0 },
  { id: 'age', name: 'a', label: 'Age', type: 'number', order: 1 },
  { id: 'born', name: 'b', label: 'Born', type: 'date', order: 2 },
  { id: 'member', name: 'm', label: 'Member', type: 'boolean', order: 3 },
  { id: 'tags', name: 't', label: 'Tags', type: 'tags', order: 4 },
])
await organisation.put('members', [
  {
    id: 'm1',
    document: {
      memberId: 'm1',
      'Full Name': 'Ada',
      age: 30.5,
      born: '1994-02-28',
      member: false,
      tags: ['Food', 'Tea'],
    },
  },
  { id: 'm2', document: { memberId: 'm2' } },
  {
    id: 'm3',
    document: {
      memberId: 'm3',
      'Full Name': 3,
      age: 'thirty',
      born: '1994-02-30',
      member: 'yes',
      tags: 'Food',
    },
  },
  { id: "o'4/(x) é", document: { memberId: "o'4/(x) é", born: '0000-01-01' } },
])
await organisation.put('events', [
  eventWith('e1', { start: '2026-03-01T10:00:00.000Z', tags: ['Food'], venue: { postcode: 'A' } }),
  eventWith('e2', { start: '2026-01-01T10:00:00.000Z', tags: [], venue: { postcode: 'B' } }),
  eventWith('e3', { start: 'soon', venue: 'unknown' }),
])
const { get, json, error } = openOData(organisation)

const ids = (value: readonly Entity[]) => value.map(({ memberId, eventId }) => memberId ?? eventId)
const idsAt = async (path: string) => ids((await json(path)).value)

test('an entity has a value of the promised type for every property, or null', async () => {
  const nothing = { Full_Name: null, age: null, born: null, member: null, tags: [] }
  expect(await json('Members')).toEqual({
    '@odata.context': `https://api.test/odata/${organisation.id}/$metadata#Members`,
    value: [
      {
        memberId: 'm1',
        Full_Name: 'Ada',
        age: 30.5,
        born: '1994-02-28',
        member: false,
        tags: ['Food', 'Tea'],
      },
      { memberId: 'm2', ...nothing },
      { memberId: 'm3', ...nothing, Full_Name: '3', tags: ['Food'] },
      { memberId: "o'4/(x) é", ...nothing },
    ],
  })
  const { value } = await json('Events?$select=eventId,start,venue_postcode')
  expect(value[2]).toEqual({ eventId: 'e3', start: null, venue_postcode: null })
})

test.each([
  ["Events?$filter=venue_postcode eq 'A' or name eq 'e2'", ['e1', 'e2']],
  ['Events?$filter=start ge 2026-02-01 and start lt 2027-01-01T00:00:00Z', ['e1']],
  ["Events?$filter=tags eq 'Food'", ['e1']],
  ["Events?$filter=tags/any(tag:tag eq 'Food' or startswith(tag,'x'))", ['e1']],
  ['Members?$filter=tags/any() and not member', ['m1', 'm3']],
  ["Members?$filter=contains(tolower(Full_Name),'ada')", ['m1']],
  ['Members?$filter=Full_Name eq null', ['m2', "o'4/(x) é"]],
  ['Events?$orderby=start', ['e2', 'e1', 'e3']],
  ['Events?$orderby=venue_postcode desc&$top=1', ['e2']],
  ['Events?$orderby=name desc&$skip=1', ['e2', 'e1']],
  ['Events?$top=0', []],
  ['Events?$filter=eventId%20in%20(%27e1%27,%27e3%27)&$format=json', ['e1', 'e3']],
])('%s', async (path, expected) => {
  expect(await idsAt(path)).toEqual(expected)
})

test('the count covers everything that passes the filter', async () => {
  const { value, ...page } = await json("Members?$count=true&$top=1&$filter=memberId ne 'm1'")
  expect([page['@odata.count'], ids(value)]).toEqual([3, ['m2']])
  expect(await json('Members?$count=false')).not.toHaveProperty(['@odata.count'])
  const count = await get("Events/$count?$filter=startswith(name,'e')")
  expect([count.headers.get('Content-Type'), await count.text()]).toEqual([
    'text/plain; charset=utf-8',
    '3',
  ])
})

test('one entity is at its key', async () => {
  const { id } = organisation
  for (const key of ["'m1'", "memberId='m1'", '%27m1%27'])
    expect(await json<Entity>(`Members(${key})?$select=age`)).toEqual({
      '@odata.context': `https://api.test/odata/${id}/$metadata#Members(age)/$entity`,
      age: 30.5,
    })
  const key = encodeURIComponent("'o''4/(x) é'")
  expect(await json<Entity>(`Members(${key})`)).toMatchObject({ memberId: "o'4/(x) é" })
})

test.each([
  ["Members('m9')", 404, 'Members has no such entity.'],
  ["Members(age='m1')", 400, 'key: must be memberId.'],
  ['Members(1)', 400, "key: must be a text: Events('id')."],
  ['Nothing', 404, 'This entity set does not exist: the service document lists them.'],
  ["Members('m1')/age", 501, expect.stringContaining('This service has only')],
  ["Members('m1')/$count", 501, expect.stringContaining('This service has only')],
  ['Members/$ref', 501, expect.stringContaining('This service has only')],
  ['$crossjoin(Members,Events)', 501, expect.stringContaining('This service has only')],
  ['Members?$expand=x', 501, expect.stringContaining('$expand is not supported here.')],
  ['Members?$search=x', 501, expect.stringContaining('$search')],
  ['Members?$Filter=x', 501, expect.stringContaining('$Filter')],
  ["Members?@a='x'", 501, expect.stringContaining('@a')],
  ['$metadata?$top=1', 501, expect.stringContaining('$top is not supported here.')],
  ["Members('m1')?$top=1", 501, expect.stringContaining('$top is not supported here.')],
  ['Members?filter=x', 400, 'filter: is not an option: the options of OData begin with $.'],
  ['Members?$top=1&$top=2', 400, '$top: may appear only once.'],
  ['Members?$top=-1', 400, expect.stringContaining('$top: must be a whole number')],
  ['Members?$skip=10001', 400, '$skip: must be a whole number of at most 10,000.'],
  ['Members?$count=yes', 400, '$count: must be true or false.'],
  ["Members?$filter=Name eq 'x'", 400, '$filter: Members has no property "Name".'],
  ['Members?$filter=year(born) eq 1994', 501, expect.stringContaining('year is not supported')],
  ['Members?$filter=1994 eq year(born)', 501, expect.stringContaining('year is not supported')],
  ['Members?$filter=length(Full_Name) gt 3', 501, expect.stringContaining('length is not')],
  ['Members?$filter=age add 1 gt 2', 501, expect.stringContaining('add is not supported')],
  ["Members?$filter=tags/all(t:t eq 'Food')", 501, expect.stringContaining('all is not supported')],
  [
    "Members?$filter=tags/any(t:t ne 'Food')",
    501,
    expect.stringContaining('any is supported with'),
  ],
  ["Members?$filter=Full_Name/any(t:t eq 'Ada')", 400, '$filter: Full_Name is not a list.'],
  ['Members?$filter=Full_Name', 400, expect.stringContaining('is a text: compare it')],
  ['Members?$filter=ada(born) eq 1994', 400, expect.stringContaining('$filter: ')],
  ['Members?$orderby=Name', 400, '$orderby: Members has no property "Name".'],
  ['Members?$select=Name', 400, '$select: Members has no property "Name".'],
  ["Bookings?$filter=profile_Full_Name eq 'x'", 400, '$filter: cannot use profile_Full_Name.'],
  ['Members?$skiptoken=x', 400, expect.stringContaining('start again without it.')],
  ['Members?$format=atom', 406, expect.stringContaining('only as application/json')],
  ['Members?$format=application/json;odata.metadata=full', 406, expect.stringContaining('only')],
  ['$metadata?$format=json', 406, expect.stringContaining('only as application/xml')],
])('%s is %i', async (path, status, message) => {
  muteLog()
  const code = {
    400: 'BAD_REQUEST',
    404: 'NOT_FOUND',
    406: 'NOT_ACCEPTABLE',
    501: 'NOT_IMPLEMENTED',
  }[status]
  expect(await error(path)).toEqual([status, code, message])
})

test.each([
  [undefined, 200],
  ['*/*', 200],
  ['application/*;q=0.5', 200],
  ['application/json', 200],
  ['application/json;odata.metadata=minimal;odata.streaming=true', 200],
  ['application/atom+xml,application/json;q=0.1', 200],
  ['application/json;q=0', 406],
  ['application/atom+xml', 406],
  ['application/json;odata.metadata=full', 406],
  ['application/json;IEEE754Compatible=true', 406],
])('a set that is accepted as %s is %i', async (accept, status) => {
  const response = await get('Events', { Accept: accept ?? '' })
  expect(response.status).toBe(status)
  expect(response.headers.get('OData-Version')).toBe('4.0')
  if (status === 200)
    expect(response.headers.get('Content-Type')).toBe('application/json;odata.metadata=minimal')
  expect((await get('$metadata', { Accept: accept ?? '' })).status).toBe(200)
})

test('a client of an older version is refused', async () => {
  expect((await get('Events', { 'OData-MaxVersion': '3.0' })).status).toBe(400)
  expect((await get('Events', { 'OData-MaxVersion': '4.01' })).status).toBe(200)
})

test('pages of 1,000 lead to the end of a set', async () => {
  const large = await newOrganisation()
  const numbers = Array.from({ length: 2100 }, (_, index) => index)
  await large.put(
    'events',
    numbers.map((number) => eventWith(`e${number}`, { attendees: number % 7 })),
  )
  const { id, key } = large
  const { get, json } = openOData(large)
  expect(rowsRead(await get('Events'))).toBeLessThan(1100)
  const read = async (path: string) => {
    const pages: Entities[] = [await json(path)]
    for (;;) {
      const next = pages.at(-1)?.['@odata.nextLink']
      if (next === undefined) return pages
      const [root, rest] = next.split(`/${id}/`)
      expect(root).toBe('https://api.test/odata')
      pages.push(await json(String(rest)))
    }
  }
  const pages = await read('Events?$count=true')
  expect(pages.map(({ value }) => value.length)).toEqual([1000, 1000, 100])
  expect(pages.map((page) => page['@odata.count'])).toEqual([2100, undefined, undefined])
  expect(pages.flatMap(({ value }) => ids(value))).toEqual(numbers.map((number) => `e${number}`))

  const few = await read('Events?$top=1500&$skip=10&$orderby=attendees desc&$select=eventId')
  expect(few.map(({ value }) => value.length)).toEqual([1000, 500])
  expect(new Set(few.flatMap(({ value }) => ids(value))).size).toBe(1500)
  expect(few[1]?.value[0]).toEqual({ eventId: expect.any(String) })

  const first = await json('Events?$filter=attendees gt 0')
  const [, link = ''] = first['@odata.nextLink']?.split(`/${id}/`) ?? []
  const token = new URLSearchParams(link.split('?')[1]).get('$skiptoken')
  expect(await openOData({ id, key }).error(`Events?$skiptoken=${token}`)).toEqual([
    ...[400, 'BAD_REQUEST', expect.stringContaining('start again without it.')],
  ])
  expect((await openOData({ id, key }).error(`${link}&$skip=1`))[0]).toBe(400)
  const restrictions = { hideFields: ['venue'] }
  const limited = await createKey(env, id, 'a', 'a test', undefined, ['read'], restrictions)
  for (const credentials of [{ id, key: limited.key }, await newOrganisation()])
    expect(await openOData(credentials).error(link)).toEqual([
      ...[400, 'BAD_REQUEST', expect.stringContaining('start again without it.')],
    ])
}, 60_000)
