import { expect, test } from 'vitest'
import { recordType } from '../../src/model/properties/record-type.ts'
import { collection } from '../../src/resources/bookings.ts'
import example from '../examples/bookings.json'
import { fields, personOf } from '../examples/people.ts'
import { muteLog } from '../logs/mute.ts'
import { newOrganisation } from '../organisation.ts'
import { newWriter } from './writing.ts'

type Answer = { bookings: { bookingId: string; profile: object }[]; total: number }

const profileId = { key: 'profileId', label: 'Profile ID', value: 'member-1', type: 'string' }
const name = { key: 'Full Name', label: 'Name', value: 'Ada Obi', type: 'text' }
const phone = { key: 'Phone', label: 'Phone', value: '07700900123', type: 'phone' }
const postcode = { key: 'Postcode', label: 'Postcode', value: 'sw1a 1aa', type: 'postcode' }
const view = { key: 'view', label: 'View', value: 'b', type: 'select' }

const other = {
  ...example,
  bookingId: 'booking-2',
  eventId: 'event-2',
  memberId: 'nobody',
  date: '2025-03-05',
  userStatus: 'waiting',
  orgStatus: 'declined',
  attending: false,
  bookingType: 'group',
}

async function withBookings() {
  const organisation = await newOrganisation()
  await organisation.schema('members', fields)
  await organisation.put('members', [personOf('memberId', 'member-1')])
  await organisation.put('bookings', [
    { id: 'booking-1', document: example },
    { id: 'booking-2', document: other },
  ])
  return organisation
}

test('a booking is listed with the profile of its member', async () => {
  const { get } = await withBookings()
  const bookings = [
    {
      ...example,
      profile: { memberId: 'member-1', fields: [profileId, name, phone, postcode] },
    },
    { ...other, profile: { memberId: 'nobody', fields: [{ ...profileId, value: 'nobody' }] } },
  ]
  expect(await (await get('/bookings')).text()).toBe(
    JSON.stringify({ bookings, offset: 0, limit: 100, total: 2 }),
  )
  expect(await (await get('/bookings?limit=1&offset=1')).text()).toBe(
    JSON.stringify({ bookings: bookings.slice(1), offset: 1, limit: 1, total: 2 }),
  )
})

test('the profile is the current member, in the same organisation, of the current booking', async () => {
  const { json, put } = await withBookings()
  const stranger = await newOrganisation()
  await stranger.put('members', [personOf('memberId', 'nobody')])
  await put('members', [personOf('memberId', 'member-1', { Postcode: 'E1 6AN' })])
  const { bookings } = await json<Answer>('/bookings?profileFields=Postcode')
  expect(bookings.map(({ profile }) => profile)).toEqual([
    { memberId: 'member-1', fields: [profileId, { ...postcode, value: 'E1 6AN' }] },
    { memberId: 'nobody', fields: [{ ...profileId, value: 'nobody' }] },
  ])
  await put('bookings', [{ id: 'booking-2', document: { ...other, memberId: 'member-1' } }])
  const changed = await json<Answer>('/bookings?eventId=event-2&profileFields=Postcode')
  expect(changed.bookings[0]?.profile).toEqual(bookings[0]?.profile)
})

test('profileFields chooses the fields, which stay in schema order and have no options', async () => {
  const { json } = await withBookings()
  for (const [chosen, visible] of [
    ['view,Phone', [phone, view]],
    ['Full Name,nonsense,full name,gone,profileId', [name]],
    ['Email', []],
    ['', []],
  ] as const) {
    const query = `memberId=member-1&profileFields=${encodeURIComponent(chosen)}`
    const { bookings } = await json<Answer>(`/bookings?${query}`)
    expect(bookings[0]?.profile).toEqual({ memberId: 'member-1', fields: [profileId, ...visible] })
  }
})

test.each([
  [
    ['Home', 'postcode', 'E1 6AN'],
    ['Contact', 'email', 'a@example.org'],
    ['Mobile', 'phoneNumber', '07700900123'],
    ['full_name', 'text', 'Ada Obi'],
    ['Work', 'email', 'b@example.org'],
    ['Other', 'text', 'x'],
  ],
  [
    ['post code', 'text', 'E1 6AN'],
    ['E-mail', 'text', 'a@example.org'],
    ['Telephone', 'text', '07700900123'],
    ['First name', 'text', 'Ada'],
    ['Surname', 'text', 'Obi'],
    ['Name', 'divider', undefined],
  ],
  [
    ['Tel (home)', 'text', '0113 496 0000'],
    ['Post Code 2', 'text', 'E1 6AN'],
    ['emailaddress', 'text', 'a@example.org'],
    ['Name', 'text', 'Ada Obi'],
    ['Email2', 'text', 'b@example.org'],
  ],
])('without the default fields a profile has those of their kinds: %j', async (...fields) => {
  const { json, put, schema } = await newOrganisation()
  await schema(
    'members',
    fields.map(([id, type], order) => ({ id, name: id, label: id, type, order })),
  )
  const document = Object.fromEntries(fields.map(([id, , value]) => [id, value]))
  await put('members', [{ id: 'member-1', document }])
  await put('bookings', [{ id: 'booking-1', document: example }])
  const { bookings } = await json<{ bookings: { profile: { fields: { key: string }[] } }[] }>(
    '/bookings',
  )
  const visible = fields.slice(0, fields.at(-1)?.[1] === 'divider' ? 5 : 4).map(([id]) => id)
  expect(bookings[0]?.profile.fields.map(({ key }) => key)).toEqual(['profileId', ...visible])
})

test('the ETag of a booking changes with its profile, and with nothing else of its member', async () => {
  const { send, read } = await newWriter()
  await send('PUT', '/members/m', { 'Full Name': 'Ada', consent: true })
  await send('PUT', '/events/e', { name: 'E' })
  const response = await send('PUT', '/bookings/b', { eventId: 'e', memberId: 'm' })
  const first = await read('/bookings/b')
  expect(response.headers.get('ETag')).toBe(first.etag)
  const statusOf = async (etag: string, path = '/bookings/b') =>
    (await send('GET', path, undefined, { 'If-None-Match': etag })).status
  await send('PATCH', '/members/m', { consent: false })
  expect(await statusOf(first.etag)).toBe(304)
  expect(await statusOf(first.etag, '/bookings/b?profileFields=consent')).toBe(200)
  await send('PATCH', '/members/m', { 'Full Name': 'Bea' })
  expect(await statusOf(first.etag)).toBe(200)
  const second = await read('/bookings/b')
  expect(second.body).toContain('Bea')
  expect(second.etag).not.toBe(first.etag)
  expect(await statusOf(second.etag)).toBe(304)
  const unchanged = await send('PATCH', '/bookings/b', JSON.parse(second.body))
  expect(unchanged.headers.get('ETag')).toBe(second.etag)
})

test("If-Match compares the booking's version, which a change of its member does not affect", async () => {
  const { send, read } = await newWriter()
  await send('PUT', '/members/m', { 'Full Name': 'Ada' })
  await send('PUT', '/events/e', { name: 'E' })
  await send('PUT', '/bookings/b', { eventId: 'e', memberId: 'm' })
  const { etag } = await read('/bookings/b')
  await send('PATCH', '/members/m', { 'Full Name': 'Bea' })
  const patch = async () =>
    (await send('PATCH', '/bookings/b', { type: 'single' }, { 'If-Match': etag })).status
  expect(await patch()).toBe(200)
  expect(await patch()).toBe(412)
})

test('without a member schema the answer is 500', async () => {
  muteLog()
  const { get, put, schema } = await newOrganisation()
  await schema('volunteers', fields)
  for (const documents of [[], [example]]) {
    await put(
      'bookings',
      documents.map((document) => ({ id: document.bookingId, document })),
    )
    for (const format of ['json', 'csv', 'ndjson']) {
      const answer = await get(`/bookings?$format=${format}`)
      expect(answer.status).toBe(500)
      expect(await answer.json()).toEqual({
        type: 'INTERNAL_ERROR',
        message: expect.stringContaining('member schema'),
      })
    }
  }
})

test('without a member schema a booking is written, and shown alone without values of its member', async () => {
  const { id: managedBy, send, read, json } = await newWriter(null)
  await send('PUT', '/events/event-1', { name: 'x' })
  const profile = { memberId: '', fields: [{ key: 'profileId', value: '' }] }
  const created = await send('PUT', '/bookings/b', { eventId: 'event-1' })
  expect([created.status, await created.json()]).toMatchObject([201, { booking: { profile } }])
  const changed = await send('PATCH', '/bookings/b', { type: 'single' })
  const { body } = await read('/bookings/b')
  expect([changed.status, await changed.text()]).toEqual([200, body])
  const { booking } = JSON.parse(body)
  expect(booking).toMatchObject({ managedBy, type: 'single', profile })
  const { changes } = await json<{ changes: object[] }>(
    '/changes?collections=bookings&$include=records',
  )
  expect(changes).toMatchObject([{ record: booking }])
})

test('filters on any field of a booking, named ones checked', async () => {
  const { json, get } = await withBookings()
  for (const [query, ids] of Object.entries({
    'eventId=event-1': ['booking-1'],
    'memberId=nobody': ['booking-2'],
    'userStatus=confirmed': ['booking-1'],
    'orgStatus=declined': ['booking-2'],
    'bookingType=single': ['booking-1'],
    'date=2025-03-04': ['booking-1'],
    'attending=FALSE': ['booking-2'],
    'duration=120': ['booking-1', 'booking-2'],
    'ticketName=Concession&attending=true&date=2025-03-05': [],
  })) {
    const { bookings, total } = await json<Answer>(`/bookings?${query}`)
    expect([query, bookings.map(({ bookingId }) => bookingId)]).toEqual([query, ids])
    expect(total).toBe(ids.length)
  }
  for (const date of ['2025-02-29', '2025-3-4', '04/03/2025', '2025-03-04T00:00:00Z', '']) {
    const answer = await get(`/bookings?date=${date}&attending=1`)
    expect([date, answer.status, await answer.json()]).toEqual([
      date,
      400,
      {
        type: 'BAD_REQUEST',
        message:
          'date: must be a real date in the form YYYY-MM-DD. attending: must be true or false.',
      },
    ])
  }
})

test('is checked when written, less its profile', () => {
  const prepared = collection.prepare({ ...example, profile: { memberId: 'm', fields: [] } })
  expect(JSON.stringify(recordType(collection.record).parse(prepared))).toBe(
    JSON.stringify(example),
  )
  expect(
    Object.keys(recordType(collection.record).parse({ bookingId: 'b', managedBy: 'org-1' })),
  ).toEqual(Object.keys(example))
})
