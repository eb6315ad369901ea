import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { newSignedIn, readForm } from './signed-in.ts'

type Person = Awaited<ReturnType<typeof newSignedIn>>

const fields = [
  { id: 'Full Name', name: 'Full Name', label: 'Full name', type: 'text', order: 0 },
  { id: 'Email', name: 'Email', label: 'Email', type: 'email', order: 1 },
]

/** The stored records of a collection. */
async function stored({ id }: Person, collection: string) {
  const { results } = await env.DB.prepare(
    'SELECT document FROM records WHERE organisation_id = ? AND collection = ? ORDER BY ordinal',
  )
    .bind(id, collection)
    .all<{ document: string }>()
  return results.map(({ document }) => JSON.parse(document))
}

/** The errors of a page's summary, by form field. */
async function listErrors(page: Response) {
  const links = (await page.text()).matchAll(/<a href="#field-([^"]*)">([^<]*)<\/a>/g)
  return Object.fromEntries([...links].map(([, name, message]) => [name, message]))
}

const yoga = {
  name: 'Gentle Yoga',
  $day: '2027-03-16',
  $starts: '10:00',
  $ends: '11:30',
  $repeats: 'week',
  $until: '2027-04-13',
  'venue.name': 'Larkwell Mill',
  'bookingDetails.capacityTotal': '16',
  $price: 'fixed',
  'bookingDetails.price': '£2.50',
}

describe('a new event', () => {
  test('one form creates a weekly event with a date for each week, in UK time', async () => {
    const person = await newSignedIn('editor')
    const answer = await person.submit('/records/new/events', yoga)
    expect(answer.status).toBe(303)
    const [series, ...dates] = await stored(person, 'events')
    expect(answer.headers.get('Location')).toMatch(`/records/events/${series.eventId}`)
    expect(series).toMatchObject({
      name: 'Gentle Yoga',
      start: '2027-03-16T10:00:00.000Z',
      end: '2027-03-16T11:30:00.000Z',
      recurrence: {
        type: 'weekly',
        recurring: true,
        rrule: 'FREQ=WEEKLY;BYDAY=TU;UNTIL=20270413T235959Z',
      },
      bookingDetails: { capacityTotal: 16, free: false, price: 2.5, bookable: true },
      bookable: true,
      venue: { name: 'Larkwell Mill' },
      parentEventId: null,
    })
    expect(dates.map(({ start }) => start)).toEqual([
      '2027-03-16T10:00:00.000Z',
      '2027-03-23T10:00:00.000Z',
      '2027-03-30T09:00:00.000Z',
      '2027-04-06T09:00:00.000Z',
      '2027-04-13T09:00:00.000Z',
    ])
    for (const date of dates)
      expect(date).toMatchObject({
        name: 'Gentle Yoga',
        parentEventId: series.eventId,
        recurrence: { type: 'none', recurring: false },
        bookingDetails: series.bookingDetails,
      })
  })

  test('checking the dates saves nothing, and a ticked date is skipped', async () => {
    const person = await newSignedIn()
    const monthly = { ...yoga, $repeats: 'month', $until: '', $count: '3' }
    const page = await person.submit('/records/new/events', { ...monthly, $check: 'dates' })
    const text = await page.clone().text()
    expect(text).toContain('3 dates, from Tuesday 16 March 2027 to Tuesday 18 May 2027.')
    expect(text).toContain('Every month <span data-frequency="month">on the third Tuesday')
    expect(await stored(person, 'events')).toEqual([])
    const form = await readForm(page)
    form.append('$skipped', '2027-04-20')
    expect((await person.post('/records/new/events', [...form])).status).toBe(303)
    const [series, ...dates] = await stored(person, 'events')
    expect(series.recurrence.rrule).toBe('FREQ=MONTHLY;BYDAY=3TU;COUNT=3')
    expect(dates.map(({ start }) => start.slice(0, 10))).toEqual(['2027-03-16', '2027-05-18'])
  })

  test.each([
    [{ $ends: '09:00' }, { $ends: 'Enter an end time after 10am' }],
    [{ $day: '' }, { $day: 'Enter the date of the event' }],
    [{ $until: '' }, { $count: 'Enter a number of dates from 1 to 150, or the last day' }],
    [{ $until: '2026-01-01' }, { $until: 'Enter a day after Tuesday 16 March 2027' }],
    [{ $repeats: 'other', $every: '0' }, { $every: 'Enter a number from 1 to 52' }],
    [
      { 'bookingDetails.price': '' },
      { 'bookingDetails.price': 'Enter the price as an amount in pounds, such as 2.50' },
    ],
    [
      { 'bookingDetails.capacityTotal': 'many' },
      { 'bookingDetails.capacityTotal': 'Places on each date must be a number.' },
    ],
    [
      { $day: '2027-03-21', $starts: '01:30', $ends: '03:00' },
      { $day: 'Date and time must exist on Sunday 28 March 2027.' },
    ],
  ])('%o shows errors in the words of the form and keeps the values', async (wrong, errors) => {
    const person = await newSignedIn()
    const answer = await person.submit('/records/new/events', { ...yoga, ...wrong })
    expect(answer.status).toBe(400)
    const page = answer.clone()
    expect(await listErrors(answer)).toEqual(errors)
    expect(Object.fromEntries(await readForm(page))).toMatchObject({ ...yoga, ...wrong })
    expect(await stored(person, 'events')).toEqual([])
  })

  test('a venue of another event is copied', async () => {
    const person = await newSignedIn()
    const venue = { venueId: 'v-1', name: 'Hall', address: '', postcode: 'LS1 1AA', bookable: true }
    await person.put('events', [
      { id: 'e-1', document: { eventId: 'e-1', start: '2026-01-01T10:00:00.000Z', venue } },
    ])
    expect(await person.html('/records/new/events')).toContain('>Hall, LS1 1AA</option>')
    await person.submit('/records/new/events', { name: 'Lunch', $venue: 'e-1' })
    expect((await stored(person, 'events'))[1]).toMatchObject({ name: 'Lunch', venue })
  })
})

test('an event that ends on another day keeps its end when only its name changes', async () => {
  const person = await newSignedIn()
  const document = {
    eventId: 'e-1',
    name: 'Camp',
    start: '2026-07-03T17:00:00.000Z',
    end: '2026-07-05T11:00:59.000Z',
    bookingDetails: { price: 12.345, free: false },
    outcomeIds: ['outcome-1'],
  }
  await person.put('events', [{ id: 'e-1', document }])
  await person.submit('/records/events/e-1/edit', { name: 'Summer camp' })
  expect((await stored(person, 'events'))[0]).toMatchObject({ ...document, name: 'Summer camp' })
  await person.submit('/records/events/e-1/edit', { $starts: '19:00' })
  expect((await stored(person, 'events'))[0]).toMatchObject({
    start: '2026-07-03T18:00:00.000Z',
    end: document.end,
  })
})

test('a change of a series reaches its later dates unless somebody unticks it, each on its own day', async () => {
  const person = await newSignedIn('editor')
  await person.schema('members', fields)
  const date = (eventId: string, start: string, hours = ['10', '11']) => ({
    id: eventId,
    document: {
      eventId,
      name: 'Yoga',
      parentEventId: 'series',
      start: `${start}T${hours[0]}:00:00.000Z`,
      end: `${start}T${hours[1]}:00:00.000Z`,
      tags: [eventId],
      bookingDetails: { price: 2 },
    },
  })
  const series = date('series', '2020-03-17')
  const recurrence = { recurring: true, rrule: 'FREQ=WEEKLY;BYDAY=TU' }
  await person.put('events', [
    { id: 'series', document: { ...series.document, parentEventId: null, recurrence } },
    ...[
      date('past', '2020-03-24'),
      date('next', '2999-03-12'),
      // Summer time begins in between.
      date('later', '2999-07-16', ['09', '10']),
    ],
  ])
  const path = '/records/events/series/edit'
  expect(await person.html(path)).toContain('Every week on Tuesday</p>')
  const prices = async () =>
    (await stored(person, 'events')).map(({ bookingDetails }) => bookingDetails.price)
  await person.submit(path, { 'bookingDetails.price': '3' })
  expect(await prices()).toEqual([3, 2, 3, 3])
  const changed = { 'bookingDetails.price': '4', $starts: '09:30', attendees: '7' }
  await person.submit(path, changed)
  expect(await prices()).toEqual([4, 2, 4, 4])
  expect(await person.html('/records/events/series')).toContain('Saved, with 2 later dates.')
  expect((await stored(person, 'events')).slice(1)).toMatchObject([
    { start: '2020-03-24T10:00:00.000Z', tags: ['past'] },
    {
      attendees: null,
      start: '2999-03-12T09:30:00.000Z',
      end: '2999-03-12T11:00:00.000Z',
      tags: ['next'],
    },
    { start: '2999-07-16T08:30:00.000Z', end: '2999-07-16T10:00:00.000Z', tags: ['later'] },
  ])
  await person.submit(path, { 'bookingDetails.price': '5', $laterDates: '' })
  expect(await prices()).toEqual([5, 2, 4, 4])
})

describe('a booking', () => {
  async function withEvent() {
    const person = await newSignedIn('editor')
    await person.schema('members', fields)
    await person.put('members', [
      { id: 'm-1', document: { memberId: 'm-1', 'Full Name': 'Ada Abara', Email: 'a@b.test' } },
    ])
    const times = { start: '2027-07-06T09:00:00.000Z', end: '2027-07-06T10:30:00.000Z' }
    await person.put('events', [
      {
        id: 'series',
        document: { eventId: 'series', name: 'Yoga', recurrence: { recurring: true } },
      },
      { id: 'e-1', document: { eventId: 'e-1', name: 'Yoga', parentEventId: 'series', ...times } },
    ])
    return { person, times }
  }

  test('for a member and a date of a series returns to the member’s page', async () => {
    const { person, times } = await withEvent()
    const page = '/records/new/bookings?member=m-1'
    const found = await person.submit(page, { '$search.$event': 'yog' })
    expect(found.status).toBe(200)
    const form = await readForm(found.clone())
    expect(await found.text()).toContain('Tuesday 6 July 2027, 10am')
    expect(await stored(person, 'bookings')).toEqual([])
    form.set('$event', 'e-1')
    const answer = await person.post('/records/new/bookings', [...form])
    expect(answer.headers.get('Location')).toMatch(/\/records\/members\/m-1$/)
    expect(await stored(person, 'bookings')).toEqual([
      expect.objectContaining({
        eventId: 'series',
        childEventId: 'e-1',
        memberId: 'm-1',
        name: 'Yoga',
        ...times,
        userName: 'Ada Abara',
        userEmail: 'a@b.test',
        date: '2027-07-06',
        duration: 90,
        userStatus: 'confirmed',
        attending: true,
        bookingType: 'member',
      }),
    ])
    expect(await person.html('/records/members/m-1')).toContain('Booking added.')
  })

  test('needs an event that exists, and its status is changed in words', async () => {
    const { person } = await withEvent()
    const page = '/records/new/bookings'
    expect(await listErrors(await person.submit(page, { userName: 'Zoe' }))).toEqual({
      $event: 'Choose the event',
    })
    await person.submit(`${page}?event=e-1`, { userName: 'Zoe', $status: 'came' })
    const [booking] = await stored(person, 'bookings')
    expect(booking).toMatchObject({ userName: 'Zoe', orgStatus: 'attended', attending: true })
    await person.submit(`/records/bookings/${booking.bookingId}/edit`, { $status: 'cancelled' })
    expect((await stored(person, 'bookings'))[0]).toEqual({
      ...booking,
      userStatus: 'cancelled',
      orgStatus: '',
      attending: false,
    })
  })
})

test('a note of a member has them, the time and its author, and returns to their page', async () => {
  const person = await newSignedIn()
  await person.schema('members', fields)
  await person.put('members', [{ id: 'm 1', document: { memberId: 'm 1', 'Full Name': 'Ada' } }])
  const answer = await person.submit('/records/new/case-notes?member=m%201', { content: 'Rang.' })
  expect(answer.headers.get('Location')).toMatch(/\/records\/members\/m%201$/)
  expect(await stored(person, 'case-notes')).toEqual([
    expect.objectContaining({
      content: 'Rang.',
      creator: person.email,
      date: expect.stringMatching(/^\d{4}-/),
      linkedEntities: { memberIds: ['m 1'], partnerIds: [], volunteerIds: [] },
    }),
  ])
  expect(await person.html('/records/members/m%201')).toContain('Case note added.')
})

test('a person who may be known already is created only on purpose', async () => {
  const person = await newSignedIn('editor')
  await person.schema('members', fields)
  await person.put('members', [
    { id: 'm-1', document: { memberId: 'm-1', 'Full Name': 'Ada Abara', Email: 'ada@b.test' } },
  ])
  const ada = { 'Full Name': 'Ada A.', Email: 'ada@b.test' }
  const page = await person.submit('/records/new/members', ada)
  const text = await page.clone().text()
  expect(text).toContain('This person may be in your records already')
  expect(text).toContain('aria-label="Open Ada Abara"')
  expect(await stored(person, 'members')).toHaveLength(1)
  const form = await readForm(page)
  const answer = await person.post('/records/new/members', [...form, ['$createAnyway', 'yes']])
  expect(answer.status).toBe(303)
  expect(await stored(person, 'members')).toEqual([expect.anything(), expect.objectContaining(ada)])
})

test('grants ask for their fund and application by name', async () => {
  const person = await newSignedIn()
  await person.put('funds', [{ id: 'f-1', document: { fundId: 'f-1', name: 'Warm Rooms' } }])
  const application = { title: 'A warm room', amountApplied: '£1,250' }
  await person.submit('/records/new/grant-applications?fund=f-1', application)
  const [{ applicationId }] = await stored(person, 'grant-applications')
  expect((await stored(person, 'grant-applications'))[0]).toMatchObject({
    title: 'A warm room',
    fundId: 'f-1',
    amountApplied: 1250,
    status: 'pending',
    currency: 'GBP',
  })
  const payment = { grantId: applicationId, fundId: 'f-1', amount: '500' }
  await person.submit(`/records/new/disbursements?application=${applicationId}&fund=f-1`, payment)
  expect(await stored(person, 'disbursements')).toEqual([
    expect.objectContaining({ ...payment, amount: 500, status: 'PENDING' }),
  ])
})
