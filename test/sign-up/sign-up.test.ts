import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { ApiError } from '../../src/model/api-error.ts'
import { collection } from '../../src/resources/bookings.ts'
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
  expect(collection.record.parse(booking)).toMatchObject({
    ...{ userName: 'Bea', userEmail: 'b@oak.test', bookingType: 'individual', memberId: '' },
    ...{ userStatus: 'confirmed', attending: true, duration: 120, eventId: 'event-1' },
  })
  const history = await env.DB.prepare(
    `SELECT created_by FROM records WHERE organisation_id = ? AND collection = 'bookings'`,
  )
    .bind(site.id)
    .first('created_by')
  expect(history).toBe('{"by":"public page"}')
})

test('one person who signs up twice, also at once, has one booking and several links', async () => {
  const site = await newSite({ capacityTotal: 3 })
  const token = crypto.randomUUID()
  const ada = { name: 'Ada', email: 'ada@oak.test' }
  const [first, second] = await Promise.all([
    site.signUp(['Ada'], { token }),
    site.signUp(['Ada'], { token }),
  ])
  expect(first).toEqual(second)
  const spelled = await site.signUp([' ADA '], { contact: { name: 'A.', email: 'ADA@OAK.TEST ' } })
  expect(spelled.links[0]?.secret).not.toBe(first.links[0]?.secret)
  const group = await site.signUp(['Ada', 'Bea'], { contact: ada })
  expect(group.outcome).toBe('confirmed')
  const other = await site.signUp(['Ada'], { contact: { name: 'Ada', email: 'other@oak.test' } })
  expect(other.outcome).toBe('confirmed')
  expect(statesOf(await site.bookings())).toEqual([
    'Ada confirmed true',
    'Bea confirmed true',
    'Ada confirmed true',
  ])
})

test('a group gets its places together or waits together, and nobody overtakes it', async () => {
  const site = await newSite({ capacityTotal: 2, bookVolunteers: true, volunteerCapacityTotal: 1 })
  expect((await site.signUp(['Ada'])).outcome).toBe('confirmed')
  expect((await site.signUp(['Bea', 'Cem'])).outcome).toBe('waiting')
  expect((await site.signUp(['Eve'], { isVolunteer: true })).outcome).toBe('confirmed')
  expect((await site.signUp(['Fay'], { isVolunteer: true })).outcome).toBe('waiting')
  // The free place is too small for the group, so it is offered to the next who waits.
  expect((await site.signUp(['Dan'])).outcome).toBe('waiting')
  expect(statesOf(await site.bookings())).toEqual([
    ...['Ada confirmed true', 'Bea waiting false', 'Cem waiting false'],
    ...['Eve confirmed true', 'Fay waiting false', 'Dan offered true'],
  ])
})

test('bookings by the API and imports take places too', async () => {
  const site = await newSite({ capacityTotal: 1 })
  const document = { bookingId: 'b1', eventId: 'event-1', attending: true, bookingType: 'member' }
  await site.put('bookings', [{ id: 'b1', document }])
  expect((await site.signUp(['Ada'])).outcome).toBe('waiting')
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
      ...{ isVolunteer: true, consent: false, token: '1' },
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
