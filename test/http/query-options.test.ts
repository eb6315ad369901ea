import { env } from 'cloudflare:workers'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { sha256 } from '../../src/platform/sha256.ts'
import { formatCursor } from '../../src/store/cursors.ts'
import { trustedStore } from '../../src/store/trusted-store.ts'
import { base, newOrganisation, rowsRead } from '../organisation.ts'
import { newWriter } from '../resources/writing.ts'

type List = { events: { eventId: string }[]; total?: number; next?: string; limit: number }
type Organisation = Awaited<ReturnType<typeof newOrganisation>>

const event = (id: string, document: object = {}) => ({
  id,
  document: { eventId: id, ...document },
})

/** Returns an organisation with these events, and a function that returns the ids of a query. */
async function newEvents(documents: Record<string, object>) {
  const organisation = await newOrganisation()
  await organisation.put(
    'events',
    Object.entries(documents).map(([id, document]) => event(id, document)),
  )
  const findIds = async (query: Record<string, string>) => {
    const { events } = await organisation.json<List>(`/events?${new URLSearchParams(query)}`)
    return events.map(({ eventId }) => eventId).join(' ')
  }
  return { ...organisation, findIds, filter: ($filter: string) => findIds({ $filter }) }
}

const messageOf = async ({ json }: Organisation, path: string) =>
  (await json<{ message: string }>(path)).message

describe('$filter', () => {
  test('compares values by the type of the field', async () => {
    const { filter } = await newEvents({
      a: { name: 'Lunch', start: '2026-01-01T00:00:00.000Z', attendees: 9, tags: ['Food', 'Art'] },
      b: { name: 'lunch', start: '2026-01-01T09:00:00.000Z', attendees: 10, bookable: true },
      c: { name: "Ada's é", start: '2026-01-02T00:00:00.000Z', attendees: -1.5, tags: ['food'] },
      d: { venue: { name: 'Hall' }, tags: [] },
    })
    for (const [expression, ids] of Object.entries({
      "name eq 'Lunch'": 'a',
      "name ne 'Lunch'": 'b c d',
      "tolower(name) eq 'LUNCH'": 'a b',
      "name eq 'Ada''s é'": 'c',
      "name gt 'Z'": 'b',
      "contains(name,'unch')": 'a b',
      "startswith(tolower(name),'lu') and not endswith(name,'x')": 'a b',
      'attendees gt 9': 'b',
      '9 lt attendees': 'b',
      'attendees lt 10': 'a c',
      'attendees in (9, -1.5, null)': 'a c d',
      'attendees eq null': 'd',
      'attendees ne null': 'a b c',
      'not (attendees gt 9)': 'a c d',
      'attendees ne 9': 'b c d',
      "bookable eq true or venue.name eq 'Hall'": 'b d',
      "tags eq 'Food'": 'a',
      "tags ne 'Food'": 'b c d',
      "tags eq 'Food' and tags eq 'Art'": 'a',
      "tags in ('Food','food')": 'a c',
      'tags eq null': 'b d',
      'start eq 2026-01-01': 'a',
      'start gt 2026-01-01': 'b c',
      'start ge 2026-01-01T09:00:00Z': 'b c',
      'start lt 2026-01-01T10:30:00+01:00': 'a b',
      "start le '2026-01-01'": 'a',
      "startswith(start,'2026-01-01')": 'a b',
      'start ne 2026-01-01': 'b c d',
    })) {
      expect([expression, await filter(expression)]).toEqual([expression, ids])
    }
  })

  test('compares a date as its first instant', async () => {
    const { put, json } = await newOrganisation([])
    await put(
      'bookings',
      ['2026-01-01', '2026-01-02', null].map((date, index) => ({
        id: `b${index}`,
        document: { bookingId: `b${index}`, date },
      })),
    )
    for (const [expression, ids] of Object.entries({
      'date eq 2026-01-01T00:00:00Z': ['b0'],
      'date eq 2026-01-01T00:00:00.001Z': [],
      'date ne 2026-01-01T12:00:00Z': ['b0', 'b1', 'b2'],
      'date gt 2026-01-01T12:00:00Z': ['b1'],
      'date ge 2026-01-01T12:00:00Z': ['b1'],
      'date lt 2026-01-01T12:00:00Z': ['b0'],
      'date le 2026-01-01T12:00:00Z': ['b0'],
      'date le 2026-01-01T00:00:00Z': ['b0'],
      'date lt 2026-01-01T00:00:00Z': [],
      'date in (2026-01-02, null)': ['b1', 'b2'],
      "date eq '2026-01-02'": ['b1'],
    })) {
      const { bookings } = await json<{ bookings: { bookingId: string }[] }>(
        `/bookings?${new URLSearchParams({ $filter: expression })}`,
      )
      expect([expression, bookings.map(({ bookingId }) => bookingId)]).toEqual([expression, ids])
    }
  })

  test('compares fields of people by their ids, beside the filters of the contract', async () => {
    const organisation = await newOrganisation([
      { id: 'Full Name', name: 'name', label: 'Name', type: 'text', order: 0 },
      { id: 'demographics.age', name: 'age', label: 'Age', type: 'number', order: 1 },
      { id: 'Postcode', name: 'postcode', label: 'Postcode', type: 'postcode', order: 2 },
    ])
    const person = (memberId: string, fields: object) => ({
      id: memberId,
      document: { memberId, ...fields },
    })
    const postcode = { Postcode: 'LS1 1AA', '$postcode.Postcode': 'LS11AA' }
    await organisation.put('members', [
      person('m1', { 'Full Name': 'Ada Obi', 'demographics.age': 20 }),
      person('m2', { 'Full Name': "Niamh O'Brien", 'demographics.age': 30, ...postcode }),
      person('m3', { 'Full Name': 'Ann OBRIEN', ...postcode }),
    ])
    const find = async (query: Record<string, string>) => {
      const { members } = await organisation.json<{ members: { memberId: string }[] }>(
        `/members?${new URLSearchParams(query)}`,
      )
      return members.map(({ memberId }) => memberId).join(' ')
    }
    expect(await find({ $filter: `contains(tolower("Full Name"),'obrien')` })).toBe('m3')
    expect(await find({ $filter: "memberId in ('m2','m1')" })).toBe('m1 m2')
    expect(await find({ $filter: 'demographics.age ge 20', Postcode: 'ls11aa' })).toBe('m2')
    expect(await find({ $orderby: 'demographics.age desc' })).toBe('m2 m1 m3')
    const counted = await organisation.json('/members?$count=true&$top=0')
    expect(counted).toEqual({ members: [], offset: 0, limit: 0, total: 3 })
  })

  test('refuses other types and unknown names, with the nearest name', async () => {
    const organisation = await newOrganisation([
      { id: 'Full Name', name: 'name', label: 'Name', type: 'text', order: 0 },
    ])
    for (const [query, message] of Object.entries({
      '/events?$filter=nam eq 1': '$filter: There is no field "nam". Did you mean "name"?',
      '/members?$filter=FullName eq 1':
        '$filter: There is no field "FullName". Did you mean "Full Name"?',
      '/members?$orderby="Full Nam"':
        '$orderby: There is no field "Full Nam". Did you mean "Full Name"?',
      '/events?$orderby=tags': '$orderby: cannot order by tags, which is a list.',
      '/events?$orderby=venue': '$orderby: There is no field "venue". Did you mean "end"?',
      '/events?$filter=name eq 5':
        "$filter: name is a text: compare it with a text in single quotation marks, such as 'Food'.",
      "/events?$filter=attendees eq '5'":
        '$filter: attendees is a number: compare it with a number, such as 3.5, by eq, ne, gt, ge, lt, le or in.',
      "/events?$filter=contains(attendees,'5')":
        '$filter: attendees is a number: compare it with a number, such as 3.5, by eq, ne, gt, ge, lt, le or in.',
      '/events?$filter=bookable gt true':
        '$filter: bookable is true or false: compare it with true or false by eq, ne or in.',
      '/events?$filter=start gt 2026':
        '$filter: start is a date or time: compare it with one, such as 2026-01-31 or 2026-01-31T09:30:00Z.',
      "/events?$filter=start in (2026-01-01,'soon')":
        '$filter: start is a date or time: compare it with one, such as 2026-01-31 or 2026-01-31T09:30:00Z.',
      '/forms?$filter=sections eq 1':
        '$filter: There is no field "sections". Did you mean "description"?',
    })) {
      expect([query, await messageOf(organisation, query)]).toEqual([query, message])
    }
  })
})

/** Follows `next` from an address to the end, and returns the ids of each page. */
async function readPages({ get }: Organisation, path: string, between?: (page: number) => unknown) {
  const pages: string[] = []
  let next: string | undefined = path
  while (next) {
    const list: List = await (await get(next.replace('/api/v1', ''))).json()
    pages.push(list.events.map(({ eventId }) => eventId).join(' '))
    await between?.(pages.length)
    next = list.next
  }
  return pages
}

describe('$orderby', () => {
  test('orders by up to three fields, missing values last, ties by arrival', async () => {
    const { findIds } = await newEvents({
      a: { attendees: 2, name: 'x' },
      b: { attendees: null, name: 'y' },
      c: { attendees: 10, name: 'y' },
      d: { attendees: 2, name: 'Z' },
      e: { attendees: 2, name: 'x' },
    })
    for (const [order, ids] of Object.entries({
      attendees: 'a d e c b',
      'attendees desc': 'c a d e b',
      'attendees asc,name desc': 'a e d c b',
      'name,attendees desc': 'd a e c b',
    })) {
      expect([order, await findIds({ $orderby: order })]).toEqual([order, ids])
    }
    expect(await findIds({ $orderby: 'name', limit: '2', offset: '1' })).toBe('a e')
  })

  test('orders a text over 256 bytes by its beginning', async () => {
    const name = (beginning: string, length: number) => ({ name: beginning.padEnd(length, '-') })
    const organisation = await newEvents({
      ...{
        a: name('M', 300),
        b: name('Z', 1),
        c: name('A', 1),
        d: name('M', 256),
        e: name('É', 300),
      },
      ...{ f: {}, g: name('M', 255), h: name('A', 400), i: name('M', 257) },
    })
    for (const [order, ids] of [
      ['name', 'c h g d a i b e f'],
      ['name desc', 'e b a i d g h c f'],
    ] as const) {
      expect(await organisation.findIds({ $orderby: order })).toBe(ids)
      const pages = await readPages(organisation, `/events?$orderby=${order}&limit=1`)
      expect(pages.join(' ')).toBe(ids)
    }
  })
})

test('the Link header leads through every page, with query options or without', async () => {
  const organisation = await newEvents({ a: {}, b: {}, c: {}, d: {}, e: {} })
  for (const query of ['limit=2', 'limit=5', 'offset=1&$top=2', "$filter=name ne 'x'&limit=2"]) {
    const names: string[] = []
    let next: string | undefined = `${base}/events?${query}`
    while (next) {
      const answer = await organisation.get(next.slice(base.length))
      const list = await answer.json<List>()
      names.push(...list.events.map(({ eventId }) => eventId))
      next = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('Link') ?? '')?.[1]
      if (query.startsWith('$filter')) expect(next).toBe(list.next && new URL(list.next, base).href)
    }
    expect([query, names.join('')]).toEqual([query, query.startsWith('offset') ? 'bcde' : 'abcde'])
  }
  const members = await organisation.get('/members?limit=1')
  expect([members.status, members.headers.get('Link')]).toEqual([200, null])
  for (const query of ['$top=0', 'limit=5', 'offset=4', 'offset=9'])
    expect((await organisation.get(`/events?${query}`)).headers.get('Link')).toBe(null)
})

describe('next', () => {
  test('leads through every record once, under any order', async () => {
    const organisation = await newEvents({
      a: { attendees: 2, bookable: true },
      b: { bookable: true },
      c: { attendees: 3.5, bookable: false },
      d: { attendees: 2, bookable: true },
      e: {},
    })
    const read = (query: string) => readPages(organisation, `/events?${query}`)
    expect(await read('$skiptoken=start&limit=2')).toEqual(['a b', 'c d', 'e'])
    expect(await read('$orderby=attendees&$top=2')).toEqual(['a d', 'c b', 'e'])
    expect(await read('$orderby=attendees%20desc,bookable&limit=2')).toEqual(['c a', 'd b', 'e'])
    expect(await read('%24filter=bookable+eq+true&limit=2')).toEqual(['a b', 'd'])
    expect(await read('$orderby=attendees&limit=2&offset=1&bookable=true')).toEqual(['d b'])
    expect(await read('limit=2')).toEqual(['a b'])
    expect(await read('$orderby=attendees&limit=5')).toEqual(['a d c b e'])
  })

  test('has all parameters but the offset, and only its first page a total', async () => {
    const { json } = await newEvents({ a: {}, b: {}, c: {}, d: {} })
    const first = await json<List>('/events?limit=1&$orderby=name&offset=1&$include=times')
    expect(first).toMatchObject({ offset: 1, limit: 1, total: 4 })
    expect(first.next).toMatch(
      /^\/api\/v1\/events\?limit=1&\$orderby=name&\$include=times&\$skiptoken=[\w-]+$/,
    )
    const second = await json<List>(String(first.next).replace('/api/v1', ''))
    expect(second.total).toBeUndefined()
    expect(second.events).toMatchObject([{ eventId: 'c', $version: 3 }])
  })

  test('skips and repeats no record that stays, while others are written and deleted', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `e${index}`)
    for (const order of ['', '&$orderby=attendees', '&$orderby=attendees%20desc,name']) {
      const organisation = await newWriter()
      const { send } = organisation
      const values = ids.map((id, index) => event(id, { attendees: index % 3 || null }))
      await organisation.put('events', values)
      const write = (page: number) =>
        Promise.all([
          send('DELETE', `/events/e${page}`),
          send('DELETE', `/events/e${12 - page}`),
          send('PATCH', '/events/e6', { colour: 'red' }),
        ])
      const path = `/events?$skiptoken=start&limit=3${order}`
      const pages = await readPages(organisation, path, async (page) => {
        const [{ status }] = await write(page)
        if (page === 1) expect(status).toBe(204)
      })
      const read = pages.join(' ').split(' ')
      const left = (await organisation.json<List>('/events')).events.map(({ eventId }) => eventId)
      expect(read).toHaveLength(new Set(read).size)
      expect(read).toEqual(expect.arrayContaining(left))
    }
  })
})

describe('$skiptoken', () => {
  const message =
    '$skiptoken: is not the token of a page of this query with these credentials: start again without it.'

  test('is refused with another query, collection or organisation', async () => {
    const organisation = await newEvents({ a: {}, b: {} })
    const other = await newEvents({ a: {}, b: {} })
    const { next = '' } = await organisation.json<List>('/events?$orderby=name&limit=1')
    const [, token = ''] = next.split('$skiptoken=')
    const use = (path: string) => `${path}&limit=1&$skiptoken=${token}`
    expect((await organisation.get(use('/events?$orderby=name'))).status).toBe(200)
    expect(
      (await organisation.get(use('/events?$top=2&%24orderby=name').replace('&limit=1', '')))
        .status,
    ).toBe(200)
    expect(await messageOf(other, use('/events?$orderby=name'))).toBe(message)
    for (const path of [
      '/events?$orderby=start',
      '/events?$orderby=name desc',
      '/events?$orderby=name,start',
      "/events?$orderby=name&$filter=name ne 'x'",
      '/events?$orderby=name&bookable=true',
      '/funds?$orderby=name',
      '/events?x=x',
    ]) {
      expect([path, await messageOf(organisation, use(path))]).toEqual([path, message])
    }
  })

  test('is encrypted, and as long for any ordinal', async () => {
    const organisation = await newEvents({
      a: { name: 'Harvest supper' },
      b: { name: 'Harvest fair' },
    })
    const read = async (path: string) => {
      const { next = '' } = await organisation.json<List>(`/events?$orderby=name&limit=1${path}`)
      const [, token = ''] = next.split('$skiptoken=')
      return token
    }
    const tokens = [await read(''), await read('&bookable=false')]
    expect(new Set(tokens).size).toBe(2)
    expect(await read('')).toBe(tokens[0])
    for (const token of tokens) {
      const text = atob(token.replaceAll('-', '+').replaceAll('_', '/'))
      expect(text).not.toMatch(/harvest|ordinal|keys/i)
    }
    const store = trustedStore(env.DB, organisation.id, { by: 'command line' })
    const lengths = [1, 987_654].map(async (ordinal) => {
      const token = await formatCursor({ store, query: [] }, { ordinal, keys: [] })
      return token.length
    })
    expect(new Set(await Promise.all(lengths)).size).toBe(1)
  })

  test('has the key of an organisation that was created again, after a minute', async () => {
    const organisation = await newEvents({ a: {}, b: {} })
    const read = async () => {
      const { next = '' } = await organisation.json<List>('/events?$skiptoken=start&limit=1')
      return next.replace('/api/v1', '')
    }
    const before = await read()
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    await env.DB.prepare(
      'UPDATE organisations SET cursor_key = hex(randomblob(32)), version = version + 1 WHERE id = ?',
    )
      .bind(organisation.id)
      .run()
    vi.setSystemTime(Date.now() + 61_000)
    expect((await organisation.get(before)).status).toBe(400)
    const after = await read()
    expect(after).not.toBe(before)
    expect((await organisation.get(after)).status).toBe(200)
  })

  test('costs one more row once in an isolate', async () => {
    const organisation = await newEvents({ a: {}, b: {}, c: {} })
    const first = await organisation.get('/events?$skiptoken=start&limit=1')
    const { next = '' } = await first.json<List>()
    const second = await organisation.get('/events?$skiptoken=start&limit=2')
    expect(rowsRead(first)).toBeLessThanOrEqual(rowsRead(second) + 2)
    expect((await organisation.get(next.replace('/api/v1', ''))).status).toBe(200)
  })

  test('is refused unless a page had it', async () => {
    const organisation = await newEvents({ a: {}, b: {} })
    const { next = '' } = await organisation.json<List>('/events?$skiptoken=start&limit=1')
    const [, token = ''] = next.split('$skiptoken=')
    const encode = (value: unknown) => btoa(JSON.stringify(value)).replaceAll('=', '')
    const alter = (index: number) =>
      token.slice(0, index) + (token[index] === 'A' ? 'B' : 'A') + token.slice(index + 1)
    const readable = [1, [], await sha256(JSON.stringify([1, [], []]))]
    for (const text of [
      '',
      'START',
      'x',
      token.slice(0, -3),
      `${token}=`,
      'A'.repeat(token.length),
      ...[0, 20, token.length - 8].map(alter),
      ...[null, {}, [], readable, { position: { ordinal: 1, keys: [] } }].map(encode),
    ]) {
      const path = `/events?limit=1&$skiptoken=${encodeURIComponent(text)}`
      expect([text, await messageOf(organisation, path)]).toEqual([text, message])
    }
  })
})

test('options that exclude each other are refused', async () => {
  const organisation = await newOrganisation()
  for (const [query, message] of Object.entries({
    'limit=1&$top=1': '$top: must not be combined with limit.',
    '$top=251': '$top: must be a whole number from 0 to 250.',
    '$count=yes': '$count: must be true or false.',
    '$skiptoken=start&offset=0': 'offset: must not be combined with $skiptoken.',
    '$orderby=name&offset=10001': 'offset: must be at most 10000 with query options.',
    $filter: '$filter: expected a field, or contains, startswith or endswith at the end.',
    $orderby: '$orderby: expected a field at the end.',
  })) {
    expect([query, await messageOf(organisation, `/events?${query}`)]).toEqual([query, message])
  }
})

test('$top=0 returns no records in any format', async () => {
  const { put, json, get } = await newOrganisation()
  await put('events', [event('a', { name: 'x' })])
  const long = 'x'.repeat(300)
  for (const [query, total] of [
    ['', 1],
    ['&name=x', 1],
    ['&offset=1', 1],
    [`&name=${long}`, 0],
    ["&$filter=name eq 'x'", 1],
    ["&$filter=name eq 'x'&$orderby=name&$count=true", 1],
  ] as const) {
    const list = await json(`/events?$top=0${query}`)
    expect([query, list]).toEqual([query, expect.objectContaining({ events: [], limit: 0, total })])
    const csv = await get(`/events?$top=0&$format=csv${query}`)
    expect([query, csv.status, (await csv.text()).trim().split('\r\n').length]).toEqual([
      query,
      200,
      1,
    ])
  }
})

test('a page with options is 304 until the organisation changes', async () => {
  const { get, key, put } = await newEvents({ a: {}, b: {} })
  const read = (etag: string) =>
    get("/events?$filter=name ne 'x'&$orderby=name&limit=1", {
      headers: { 'x-api-key': key, 'If-None-Match': etag },
    })
  const etag = (await read('')).headers.get('ETag') ?? ''
  expect((await read(etag)).status).toBe(304)
  await put('events', [event('c')])
  const changed = await read(etag)
  expect([changed.status, (await changed.json<List>()).total]).toEqual([200, 3])
})
