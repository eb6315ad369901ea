import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import type { Restrictions } from '../../src/access/restrictions.ts'
import { createKey } from '../keys.ts'
import { newOrganisation } from '../organisation.ts'

const field = (id: string, type = 'text') => ({ id, name: id, label: `${id}!`, type, order: 0 })

/** An organisation with two events, a member and three bookings. */
async function newBookings() {
  const organisation = await newOrganisation([field('Full Name'), field('Email', 'email')])
  const { put } = organisation
  await put('events', [
    {
      id: 'e1',
      document: {
        eventId: 'e1',
        name: 'Lunch',
        tags: ['Food', 'Art'],
        venue: { name: 'Hall', postcode: 'LS1 1AA' },
      },
    },
    {
      id: 'e2',
      document: { eventId: 'e2', name: 'Walk', tags: [], start: '2026-03-01T10:00:00.000Z' },
    },
  ])
  await put('members', [
    { id: 'm1', document: { memberId: 'm1', 'Full Name': 'Ada Obi', Email: 'ada@example.org' } },
  ])
  const booking = (id: string, eventId: string, memberId: string) => ({
    id,
    document: { bookingId: id, eventId, memberId, date: '2026-03-01' },
  })
  await put('bookings', [
    booking('b1', 'e1', 'm1'),
    booking('b2', 'e2', ''),
    booking('b3', 'gone', 'gone'),
  ])
  const restrict = async (restrictions: Restrictions) => {
    const { key } = await createKey(
      env,
      organisation.id,
      'x',
      'a',
      undefined,
      ['read'],
      restrictions,
    )
    return async <Body>(path: string) =>
      (await organisation.get(path, { headers: { 'x-api-key': key } })).json<Body>()
  }
  const csv = async (path: string) => (await (await organisation.get(path)).text()).split('\r\n')
  return { ...organisation, restrict, csv }
}

type Bookings = { bookings: Record<string, unknown>[] }
const idsIn = ({ bookings }: Bookings) => bookings.map(({ bookingId }) => bookingId).join(' ')

describe('$select', () => {
  test('shows the chosen properties and the id, in the order of the record', async () => {
    const { json, csv } = await newBookings()
    const { events } = await json<{ events: object[] }>(
      '/events?$select=venue.name,tags,name&limit=1',
    )
    expect(JSON.stringify(events[0])).toBe(
      '{"eventId":"e1","name":"Lunch","tags":["Food","Art"],"venue":{"name":"Hall"}}',
    )
    const whole = await json<{ events: object[] }>('/events?$select=venue,venue.name&limit=1')
    expect(whole.events).toEqual([{ eventId: 'e1', venue: { name: 'Hall', postcode: 'LS1 1AA' } }])
    expect(await csv('/events?$select=venue.name,tags&$format=csv&$include=times&limit=1')).toEqual(
      [
        'eventId,tags,venue.name,$created,$updated,$version',
        expect.stringMatching(/^e1,Food;Art,Hall,20\S+,20\S+,\d+$/),
        '',
      ],
    )
  })

  test('keeps the form of people and profiles', async () => {
    const { json, csv } = await newBookings()
    const { members } = await json<{ members: { fields: object[] }[] }>(
      '/members?$select="Full Name"',
    )
    expect(members).toMatchObject([{ memberId: 'm1', schemaInfo: { schemaId: 'master' } }])
    expect(members[0]?.fields).toMatchObject([{ key: 'Full Name', value: 'Ada Obi' }])
    expect(await csv('/members?$select=Email&$format=csv')).toEqual([
      'memberId,Email',
      'm1,ada@example.org',
      '',
    ])
    const { bookings } = await json<Bookings>('/bookings?$select=profile&limit=1')
    expect(bookings).toMatchObject([{ bookingId: 'b1', profile: { memberId: 'm1' } }])
    expect(Object.keys(bookings[0] ?? {})).toEqual(['bookingId', 'profile'])
  })

  test('refuses unknown names', async () => {
    const { json } = await newBookings()
    for (const [path, message] of Object.entries({
      '/events?$select=nam': '$select: There is no field "nam". Did you mean "name"?',
      '/members?$select=Name': '$select: There is no field "Name". Did you mean "Email"?',
      '/bookings?$select=profile.fields':
        '$select: There is no field "profile.fields". Did you mean "profile"?',
      '/bookings?$select=$event': '$select: cannot read the text at character 1.',
    })) {
      expect([path, await json(path)]).toEqual([path, { type: 'BAD_REQUEST', message }])
    }
  })
})

describe('$expand', () => {
  test('adds the records as their own lists show them', async () => {
    const { json, csv } = await newBookings()
    const { bookings } = await json<Bookings>('/bookings?$expand=event,member&$select=date')
    const [{ events }, { members }] = [
      await json<{ events: object[] }>('/events'),
      await json<{ members: object[] }>('/members'),
    ]
    expect(bookings).toEqual([
      { bookingId: 'b1', date: '2026-03-01', $event: events[0], $member: members[0] },
      { bookingId: 'b2', date: '2026-03-01', $event: events[1], $member: null },
      { bookingId: 'b3', date: '2026-03-01', $event: null, $member: null },
    ])
    const [head = '', ...rows] = await csv(
      '/bookings?$expand=member&$select=date&$format=csv&$labels=true',
    )
    expect(head).toBe('bookingId,date,$member.memberId,$member.Full Name!,$member.Email!')
    expect(rows).toEqual([
      'b1,2026-03-01,m1,Ada Obi,ada@example.org',
      'b2,2026-03-01,,,',
      'b3,2026-03-01,,,',
      '',
    ])
  })

  test('redacts them, and refuses what the key may not see like an unknown name', async () => {
    const { json, restrict } = await newBookings()
    const read = await restrict({ hideFields: ['email', 'venue.postcode'] })
    const { bookings } = await read<Bookings>('/bookings?$expand=event,member&limit=1')
    expect(bookings).toMatchObject([{ $event: { venue: { name: 'Hall', postcode: '' } } }])
    expect(JSON.stringify(bookings)).not.toMatch(/LS1 1AA|ada@example/)
    const refusal = (name: string, names: string) => ({
      type: 'BAD_REQUEST',
      message: `$expand: There is no reference "${name}". Choose from: ${names}.`,
    })
    expect(await json('/bookings?$expand=x')).toEqual(refusal('x', 'event, childEvent, member'))
    const withoutMembers = await restrict({ collections: ['bookings', 'events'] })
    expect(await withoutMembers('/bookings?$expand=member')).toEqual(
      refusal('member', 'event, childEvent'),
    )
    const withoutEventId = await restrict({ hideFields: ['eventId'] })
    expect(await withoutEventId('/bookings?$expand=event')).toEqual(
      refusal('event', 'childEvent, member'),
    )
  })
})

describe('a reference in $filter', () => {
  test('compares the referenced record', async () => {
    const { json } = await newBookings()
    for (const [filter, ids] of Object.entries({
      "event.tags eq 'Food'": 'b1',
      "event.tags ne 'Food'": 'b2 b3',
      "not (event.tags eq 'Food')": 'b2 b3',
      "event.tags in ('Food','Art') and event.name eq 'Lunch'": 'b1',
      "event.name eq 'Lunch' or event.name eq 'Walk'": 'b1 b2',
      "event.name in ('Lunch',null)": 'b1 b3',
      'event.start gt 2026-01-01': 'b2',
      'event.start eq null': 'b1 b3',
      'event.start ne null': 'b2',
      "member.Email eq 'ada@example.org'": 'b1',
      '"member.Full Name" ne null': 'b1',
      "tolower(event.venue.name) eq 'hall' and date eq 2026-03-01": 'b1',
      "member.Email ne null or event.name eq 'Walk'": 'b1 b2',
      "childEvent.name eq 'Lunch'": '',
    })) {
      const query = new URLSearchParams({ $filter: filter })
      expect([filter, idsIn(await json<Bookings>(`/bookings?${query}`))]).toEqual([filter, ids])
    }
  })

  test('is refused beyond five conditions, in an order, and for what the key may not see', async () => {
    const { json, restrict } = await newBookings()
    const conditions = Array.from({ length: 6 }, () => "not (event.name eq 'x')").join(' or ')
    expect(await json(`/bookings?$filter=${conditions}`)).toMatchObject({
      message: expect.stringMatching(
        /^\$filter: must have at most 5 conditions on referenced records/,
      ),
    })
    const order = { message: '$orderby: There is no field "event.name". Did you mean "eventId"?' }
    expect(await json('/bookings?$orderby=event.name')).toMatchObject(order)
    const path = "/bookings?$filter=event.tags eq 'Food'"
    const unknown = /^\$filter: There is no field "event.tags". Did you mean "[^".]+"\?$/
    for (const restrictions of [{ collections: ['bookings'] }, { hideFields: ['eventId'] }]) {
      const read = await restrict(restrictions)
      const { message } = await read<{ message: string }>(path)
      expect(message).toMatch(unknown)
    }
    const withoutTags = await restrict({ hideFields: ['tags'] })
    expect(await withoutTags(path)).toMatchObject({
      message: '$filter: There is no field "event.tags". Did you mean "event.name"?',
    })
  })
})

test('CSV and NDJSON have the records of the JSON list', async () => {
  const { get, json, csv } = await newBookings()
  const query =
    '$filter=event.name ne null&$orderby=eventId desc&$expand=event,member&$select=date,profile'
  const { bookings } = await json<Bookings>(`/bookings?${query}`)
  expect(idsIn({ bookings })).toBe('b2 b1')
  const lines = (await (await get(`/bookings?${query}&$format=ndjson`)).text()).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(bookings)
  const [, ...rows] = await csv(`/bookings?${query}&$format=csv`)
  expect(rows.map((row) => row.slice(0, 2))).toEqual(['b2', 'b1', ''])
})
