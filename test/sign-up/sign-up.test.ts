import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { ApiError } from '../../src/model/api-error.ts'
import { recordType } from '../../src/model/properties/record-type.ts'
import { collection } from '../../src/resources/bookings.ts'
import {
  cancelBookings,
  changeAttendee,
  readLinkedBooking,
} from '../../src/sign-up/booking-link.ts'
import { readPlaces } from '../../src/store/sign-up/places.ts'
import { takeEventsWithWaiting } from '../../src/store/sign-up/schedule.ts'
import { newSite } from './site.ts'

const statesOf = (bookings: { userName: string; userStatus: string; attending: boolean }[]) =>
  bookings.map(({ userName, userStatus, attending }) => `${userName} ${userStatus} ${attending}`)

test('a booking has every property of the contract', async () => {
  const site = await newSite()
  await site.signUp(['Ada', 'Bea'], {
    attendees: [{ values: { 'Full Name': 'Bea', Email: 'b@oak.test' } }],
  })
  const [booking, ...others] = await site.bookings()
  expect(others).toEqual([])
  expect(recordType(collection.record).parse(booking)).toMatchObject({
    userName: 'Bea',
    userEmail: 'b@oak.test',
    bookingType: 'individual',
    memberId: '',
    userStatus: 'confirmed',
    attending: true,
    duration: 120,
    eventId: 'event-1',
  })
  const history = await env.DB.prepare(
    `SELECT created_by FROM records WHERE organisation_id = ? AND collection = 'bookings'`,
  )
    .bind(site.id)
    .first('created_by')
  expect(history).toBe('{"by":"public page"}')
})

test('with mail, one person who signs up twice, also at once, has one booking', async () => {
  const site = await newSite({ capacityTotal: 6 })
  const contact = { name: 'Ada', email: 'ada@oak.test' }
  await Promise.all([site.signUp(['Ada'], {}, true), site.signUp(['Ada'], {}, true)])
  await site.signUp([' ADA '], { contact: { name: 'A.', email: 'ADA@OAK.TEST ' } }, true)
  await site.signUp(['Ada', 'Bea'], { contact }, true)
  await site.signUp(['Ada'], { contact: { name: 'Ada', email: 'other@oak.test' } }, true)
  expect(await site.states()).toEqual(['Ada unconfirmed', 'Bea unconfirmed', 'Ada unconfirmed'])
})

test('without mail, only the same form, also at once, leads to a booking that existed', async () => {
  const site = await newSite()
  const token = crypto.randomUUID()
  const [first, second] = await Promise.all([
    site.signUp(['Ada'], { token }),
    site.signUp(['Ada'], { token }),
  ])
  expect(first).toEqual(second)
  const stranger = await site.signUp(['Ada'])
  expect(stranger).toEqual({
    outcome: first.outcome,
    links: [{ name: 'Ada', secret: expect.stringMatching(/^\w{64}$/) }],
  })
  const ids = [first, stranger].map(({ links }) =>
    readLinkedBooking(site.context().store, links[0]?.secret ?? ''),
  )
  const [own, strange] = await Promise.all(ids)
  expect(own?.bookingId).not.toBe(strange?.bookingId)
  const contact = { name: 'Bea', email: 'ada@oak.test' }
  const { links } = await site.signUp(['Bea'], { contact })
  const input = { values: { 'Full Name': 'Ada' } }
  await changeAttendee(site.context(), links[0]?.secret ?? '', input)
  expect(await site.states()).toEqual(['Ada confirmed', 'Ada confirmed', 'Ada confirmed'])
})

test('a form that is sent again after its booking was cancelled leads to the new booking', async () => {
  const site = await newSite()
  const token = crypto.randomUUID()
  const { links } = await site.signUp(['Ada'], { token })
  const [{ secret = '' } = {}] = links
  await cancelBookings(site.context(), secret)
  expect(await site.signUp(['Ada'], { token })).toEqual({ outcome: 'confirmed', links })
  const linked = await readLinkedBooking(site.context().store, secret)
  expect(linked?.booking.userStatus).toBe('confirmed')
})

test('a group gets its places together or waits together, and nobody overtakes it', async () => {
  const site = await newSite({ capacityTotal: 2, bookVolunteers: true, volunteerCapacityTotal: 1 })
  expect((await site.signUp(['Ada'])).outcome).toBe('confirmed')
  expect((await site.signUp(['Bea', 'Cem'])).outcome).toBe('waiting')
  expect((await site.signUp(['Eve'], { isVolunteer: true })).outcome).toBe('confirmed')
  expect((await site.signUp(['Fay'], { isVolunteer: true })).outcome).toBe('waiting')
  // The free place is too small for the group.
  expect((await site.signUp(['Dan'])).outcome).toBe('confirmed')
  expect((await site.signUp(['Gil'])).outcome).toBe('waiting')
  expect(statesOf(await site.bookings())).toEqual([
    ...['Ada confirmed true', 'Bea waiting false', 'Cem waiting false'],
    ...['Eve confirmed true', 'Fay waiting false', 'Dan confirmed true', 'Gil waiting false'],
  ])
})

test('bookings by the API and imports take places too', async () => {
  const site = await newSite({ capacityTotal: 1 })
  const document = { bookingId: 'b1', eventId: 'event-1', attending: true, bookingType: 'member' }
  await site.put('bookings', [{ id: 'b1', document }])
  expect((await site.signUp(['Ada'])).outcome).toBe('waiting')
})

test('a booking from elsewhere that says it waits keeps nobody from a place', async () => {
  const site = await newSite({ capacityTotal: 1 })
  const document = { bookingId: 'b1', eventId: 'event-1', attending: false, userStatus: 'waiting' }
  await site.put('bookings', [{ id: 'b1', document }])
  const { store } = site.context()
  expect((await readPlaces(store, ['event-1'])).get('event-1')?.participants.left).toBe(1)
  expect(await takeEventsWithWaiting(env.DB, new Date().toISOString())).not.toContainEqual({
    organisationId: site.id,
    eventId: 'event-1',
  })
  expect((await site.signUp(['Ada'])).outcome).toBe('confirmed')
})

test('a newcomer gets only places that nobody who waits can take', async () => {
  const site = await newSite({ capacityTotal: 1 })
  await site.signUp(['Ada'])
  await site.signUp(['Bea', 'Cem'])
  await site.signUp(['Dan'])
  await site.changeEvent({ bookingDetails: { capacityTotal: 3 } })
  const { store } = site.context()
  const places = await readPlaces(store, ['event-1'])
  expect(places.get('event-1')?.participants).toEqual({ capacity: 3, held: 1, left: -1 })
  expect((await site.signUp(['Eve'])).outcome).toBe('waiting')
  await site.changeEvent({ bookingDetails: { capacityTotal: 6 } })
  // Eve, too, waits for a place.
  expect((await site.signUp(['Fay'])).outcome).toBe('confirmed')
})

test('a newcomer with mail gets one message, which agrees with the booking', async () => {
  const site = await newSite({ capacityTotal: 4 })
  await site.signUp(['Ada', 'Bea', 'Cem'])
  await site.signUp(['Dan', 'Eve'])
  await site.signUp(['Fay'], {}, true)
  expect(await site.states()).toContain('Fay unconfirmed')
  expect(site.sent.map(({ text }) => text)).toEqual([
    expect.stringContaining('Please confirm your address'),
  ])
})

test('errors name each field', async () => {
  const site = await newSite({ bookVolunteers: false }, { settings: { consentText: 'I agree.' } })
  const errors = await site
    .signUp([], {
      contact: { name: ' ', email: 'nobody' },
      attendees: [
        { values: { 'Full Name': ' ', Email: 'nobody', Secret: 'x' }, questionAnswers: { a: 'b' } },
        { values: { 'Full Name': 'Ada' } },
        { values: { 'Full Name': 'ADA' } },
      ],
      isVolunteer: true,
      consent: false,
      token: '1',
    })
    .catch((error: ApiError) => error.errors.map(({ field, code }) => `${field} ${code}`))
  expect(errors).toEqual([
    ...['contact.name too_short', 'contact.email invalid_format'],
    ...['attendees.0.Email invalid_format', 'attendees.0.Secret unknown_field'],
    ...['attendees.0.Full Name required', 'attendees.0.a unknown_field', 'attendees.2 duplicate'],
    ...['consent required', 'isVolunteer not_allowed', 'token invalid_format'],
  ])
  expect(await site.bookings()).toEqual([])
})

test.each([
  ['closed', { bookingDetails: { closed: true } }],
  ['private', { bookingDetails: { privateEvent: true } }],
  ['not bookable', { bookable: false }],
  ['concluded', { concluded: '2026-01-01T00:00:00.000Z' }],
  ['over', { start: '2026-01-01T10:00:00.000Z', end: '2026-01-01T12:00:00.000Z' }],
])('nobody can sign up for an event that is %s', async (_, event) => {
  const site = await newSite({}, { event })
  await expect(site.signUp(['Ada'])).rejects.toMatchObject({ type: 'NOT_FOUND' })
})

test('a booking of the series for this occurrence holds a place', async () => {
  const site = await newSite({ capacityTotal: 1 })
  await site.signUp(['Ada'])
  await site.change('Ada', { eventId: 'series', childEventId: 'event-1' })
  expect((await site.signUp(['Bea'])).outcome).toBe('waiting')
})
