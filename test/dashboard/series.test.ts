import { expect, test } from 'vitest'
import events from '../examples/events.json' with { type: 'json' }
import { everything, putEverything } from '../examples/everything.ts'
import { newSignedIn } from './signed-in.ts'

const onDay = (day: string) => `2027-03-${day}T12:00:00.000Z`

/** A series with 16 places and two occurrences; 3 people come to the first, 2 to the second, and 1 does not. */
async function withSeries() {
  const person = await newSignedIn('editor')
  await putEverything(person)
  const recurrence = { type: 'weekly', recurring: true, rrule: 'FREQ=WEEKLY' }
  const event = (eventId: string, values: object) => ({
    id: eventId,
    document: {
      ...everything.events?.document,
      eventId,
      managedBy: person.id,
      bookingDetails: { capacityTotal: 16 },
      ...values,
    },
  })
  await person.put('events', [
    event('lunch', { name: 'Lunches', start: onDay('02'), recurrence, parentEventId: null }),
    event('lunch-1', { name: 'Lunch one', start: onDay('02'), parentEventId: 'lunch' }),
    event('lunch-2', { name: 'Lunch two', start: onDay('09'), parentEventId: 'lunch' }),
  ])
  const booked = [
    { eventId: 'lunch', childEventId: 'lunch-1' },
    { eventId: 'lunch', childEventId: 'lunch-1' },
    { eventId: 'lunch-1', childEventId: 'lunch-1' },
    { eventId: 'lunch', childEventId: 'lunch-2' },
    { eventId: 'lunch', childEventId: 'lunch-2' },
    { eventId: 'lunch', childEventId: 'lunch-2', attending: false },
  ]
  await person.put(
    'bookings',
    booked.map((values, index) => {
      const bookingId = `b-${index}`
      const required = { bookingId, managedBy: person.id, memberId: '', attending: true }
      const document = { ...everything.bookings?.document, ...required, ...values }
      return { id: bookingId, document }
    }),
  )
  return person
}

const toText = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

/** The text below an event's name in the calendar. */
const textBelow = (html: string, name: string) =>
  new RegExp(`>${name}</a><small>(.*?)</small>`).exec(html)?.[1]

const week = 7 * 86_400_000
const inWeeks = (weeks: number) => new Date(Date.now() + weeks * week).toISOString()

/** A series with a date in each of some weeks, which begin with it and have its places and price. */
async function withWeeks(weeks: readonly number[], own: Record<number, object> = {}) {
  const person = await newSignedIn('editor')
  await putEverything(person)
  const shared = {
    ...events,
    managedBy: person.id,
    name: 'Cooks',
    tags: ['Cooking'],
    concluded: null,
    bookable: true,
    venue: { venueId: '', name: 'Mill', address: '', postcode: '', bookable: false },
    bookingDetails: {
      ...events.bookingDetails,
      capacityTotal: 16,
      free: false,
      price: 2.5,
      closed: false,
    },
  }
  const series = { type: 'weekly', recurring: true, rrule: 'FREQ=WEEKLY;BYDAY=SA' }
  const none = { type: 'none', recurring: false, rrule: '' }
  await person.put('events', [
    {
      id: 'cooks',
      document: {
        ...shared,
        eventId: 'cooks',
        parentEventId: null,
        recurrence: series,
        start: inWeeks(weeks[0] ?? 0),
        end: inWeeks(weeks[0] ?? 0),
      },
    },
    ...weeks.map((number) => ({
      id: `cooks-${number}`,
      document: {
        ...shared,
        eventId: `cooks-${number}`,
        parentEventId: 'cooks',
        recurrence: none,
        start: inWeeks(number),
        end: inWeeks(number),
        ...own[number],
      },
    })),
  ])
  /** Adds bookings with these values, each on the register of an event. */
  const book = (bookings: readonly object[]) =>
    person.put(
      'bookings',
      bookings.map((values, index) => {
        const bookingId = `cook-${index}`
        const document = {
          ...everything.bookings?.document,
          bookingId,
          managedBy: person.id,
          memberId: '',
          childEventId: null,
          attending: true,
          orgStatus: '',
          ...values,
        }
        return { id: bookingId, document }
      }),
    )
  return { ...person, book, textOf: async (path: string) => toText(await person.html(path)) }
}

/** The text of a page between two headings. */
const between = (text: string, from: string, to: string) =>
  text.slice(text.indexOf(from), text.indexOf(to, text.indexOf(from)))

test('the page of a series has its dates with places, people who came and an average', async () => {
  const { book, textOf, html, visit } = await withWeeks([-2, -1, 1, 2], {
    2: { bookingDetails: { capacityTotal: 20, free: false, price: 2.5 } },
  })
  const past = { date: inWeeks(-2).slice(0, 10) }
  await book([
    {
      eventId: 'cooks',
      childEventId: 'cooks--2',
      orgStatus: 'attended',
      memberId: 'member-1',
      ...past,
    },
    { eventId: 'cooks--2', orgStatus: 'attended', memberId: 'member-1', ...past },
    { eventId: 'cooks--2', orgStatus: 'absent', memberId: 'absent', ...past },
    { eventId: 'cooks--1', orgStatus: 'attended', memberId: 'member-1', ...past },
    { eventId: 'cooks--1', ...past },
    { eventId: 'cooks', childEventId: 'cooks-1' },
    { eventId: 'cooks-2' },
    { eventId: 'cooks-2', attending: false },
    { eventId: 'cooks' },
  ])
  const page = await textOf('/records/events/cooks')
  const coming = between(page, 'To come 2 dates', 'Past')
  expect(coming.match(/\d+ of \d+/g)).toEqual(['1 of 16', '1 of 20'])
  expect(coming).toContain('20 places')
  expect(page).toContain('Past 2 dates: 3 attendances of 1 member, 1.5 on average')
  const earlier = between(page, 'Past 2 dates', 'Questions')
  expect(earlier.match(/\d+ of \d+|\d+ to mark|Complete/g)).toEqual([
    '1 of 2',
    '1 to mark',
    '2 of 3',
    'Complete',
  ])
  expect(page).toContain('1 booking names no date of the series')
  expect(page).not.toContain('QR code')
  expect((await visit('/records/series/cooks/poster')).status).toBe(404)
  const links = [
    ...(await html('/records/events/cooks')).matchAll(/href="[^"]*\/events\/(cooks[^"/]*)"/g),
  ]
  expect(links.map(([, id]) => id)).toEqual(
    expect.arrayContaining(['cooks-1', 'cooks-2', 'cooks--1', 'cooks--2']),
  )
})

test('lists have the dates, series have another list and no register', async () => {
  const { textOf, visit } = await withWeeks([1, 2])
  const list = await textOf('/records/events')
  expect(list).toContain('3 events')
  expect(await textOf('/records/events?tags=Cooking')).toContain('2 of 3 events')
  expect(await textOf('/records/events?recurrence.recurring=true')).toContain('Cooks')
  expect(await textOf('/records/series')).toMatch(/Cooks Every week on Saturday .*? 2 /)
  const register = await visit('/events/cooks', { redirect: 'manual' })
  expect([register.status, register.headers.get('Location')]).toEqual([
    303,
    expect.stringMatching(/\/records\/events\/cooks$/),
  ])
})

test('a change of the dates from one on keeps what a date has for itself', async () => {
  const { submit, json, textOf, visit } = await withWeeks([-1, 1, 2, 3], {
    3: { bookingDetails: { capacityTotal: 20, free: true, price: null } },
  })
  const change = '/records/series/cooks/change'
  const { event } = await json<{ event: { start: string } }>('/events/cooks-2')
  const values = { $from: event.start, 'bookingDetails.capacityTotal': '12', $price: 'free' }
  const planned = toText(await (await submit(change, values)).text())
  expect(planned).toContain('1 date changes. ')
  expect(planned).toContain('keeps another value.')
  const capacities = async () => {
    const { events: stored } = await json<{
      events: { eventId: string; bookingDetails: Record<string, unknown> }[]
    }>('/events?tags=Cooking')
    return Object.fromEntries(
      stored.map(({ eventId, bookingDetails: { capacityTotal, free, price } }) => [
        eventId,
        [capacityTotal, free, price],
      ]),
    )
  }
  const before = await capacities()
  const saved = await submit(change, { ...values, step: 'save' })
  expect(saved.status).toBe(303)
  expect(await capacities()).toEqual({
    cooks: [12, true, null],
    'cooks--1': before['cooks--1'],
    'cooks-1': before['cooks-1'],
    'cooks-2': [12, true, null],
    'cooks-3': [20, true, null],
  })
  expect(between(await textOf('/records/events/cooks'), 'To come', 'Past')).toContain('20 places')
  expect((await visit('/records/series/cooks-1/change')).status).toBe(404)
})

test('dates are added with the places and price of the series, all or none', async () => {
  const { submit, post, json, html, textOf, book } = await withWeeks([1])
  const add = '/records/series/cooks/add'
  const days = {
    $day: '2096-03-03',
    $starts: '10:00',
    $ends: '11:00',
    $repeats: 'week',
    $count: '3',
  }
  expect((await submit(add, days)).status).toBe(303)
  const [, undo = ''] =
    /action="[^"]*?(\/import\/done\/\d+\/undo)"/.exec(await html('/records/events/cooks')) ?? []
  const { events: dates } = await json<{ events: Record<string, unknown>[] }>(
    '/events?parentEventId=cooks&venue.name=Mill&bookingDetails.price=2.5&bookingDetails.capacityTotal=16',
  )
  expect(dates.map(({ start }) => start)).toEqual([
    expect.any(String),
    '2096-03-03T10:00:00.000Z',
    '2096-03-10T10:00:00.000Z',
    '2096-03-17T10:00:00.000Z',
  ])
  const double = await submit(add, { ...days, $day: '2096-02-25' })
  expect([double.status, toText(await double.text())]).toEqual([
    400,
    expect.stringContaining('has a date on Saturday 3 March 2096 already'),
  ])
  expect(await textOf('/records/events/cooks')).toContain('To come 4 dates')
  await book([{ eventId: 'cooks', childEventId: String(dates[1]?.eventId) }])
  expect(toText(await (await post(undo, [])).text())).toContain('2 reverted, 1 left')
  expect(await textOf('/records/events/cooks')).toContain('To come 2 dates')
})

test('one form makes a weekly series of 40 dates with places, price and a question, or nothing', async () => {
  const { submit, post, json, html, book } = await withWeeks([1])
  const form = {
    name: 'Yoga',
    $day: '2096-01-07',
    $starts: '10:00',
    $ends: '11:30',
    $repeats: 'week',
    $count: '40',
    'bookingDetails.capacityTotal': '16',
    $price: 'fixed',
    'bookingDetails.price': '2.50',
    '$question0.label': 'Allergies',
    '$question0.deleteDaysAfter': '31',
  }
  const events = () => json<{ total: number }>('/events?name=Yoga')
  const refused = await submit('/records/new/events', form)
  const page = toText(await refused.text())
  expect([refused.status, page]).toEqual([400, expect.stringContaining('must not be empty.')])
  expect(page).toContain('must be a whole number from 0 to 30.')
  expect(await events()).toMatchObject({ total: 0 })
  await submit('/records/new/events', {
    ...form,
    '$question0.purpose': 'To cook for you.',
    '$question0.deleteDaysAfter': '7',
  })
  const { events: stored } = await json<{ events: { eventId: string; parentEventId: unknown }[] }>(
    '/events?name=Yoga&bookingDetails.capacityTotal=16&bookingDetails.price=2.5',
  )
  const [series, ...dates] = stored
  expect(dates).toHaveLength(40)
  expect(new Set(dates.map(({ parentEventId }) => parentEventId))).toEqual(
    new Set([series?.eventId]),
  )
  const created = await html(`/records/events/${series?.eventId}`)
  for (const id of [series?.eventId, dates.at(-1)?.eventId])
    expect(await html(`/events/${id}/questions`)).toContain('value="Allergies"')
  // Undo leaves a date that somebody booked.
  await book([{ eventId: series?.eventId, childEventId: dates[0]?.eventId }])
  const [, undo = ''] = /action="[^"]*?(\/records\/[^"]*dates=true)"/.exec(created) ?? []
  await post(undo, [])
  expect(await events()).toMatchObject({ total: 2 })
  expect(toText(await html(`/records/events/${series?.eventId}`))).toContain(
    'Yoga has bookings and stays, 39 dates deleted, 1 date with bookings kept.',
  )
})

test('a series is deleted with its dates, and restored with them', async () => {
  const { submit, post, json, html, textOf } = await withWeeks([1, 2])
  const question = { '0.label': 'Lift', '0.purpose': 'To drive.', '0.deleteDaysAfter': '7' }
  await submit('/events/cooks-1/questions', question)
  await submit('/events/cooks/questions', { booksAllDates: 'true' })
  const total = () => json('/events?name=Cooks')
  await post('/records/events/cooks/delete?dates=true', [])
  expect(await total()).toMatchObject({ total: 0 })
  expect(await textOf('/records/events')).toContain('Deleted: Cooks, 2 dates deleted. Undo')
  await post('/records/events/cooks/restore', [])
  expect(await total()).toMatchObject({ total: 3 })
  expect(await textOf('/records/events/cooks')).toContain('other questions')
  expect(await html('/events/cooks/questions')).toMatch(/name="booksAllDates"[^>]* checked/)
})

test('every date asks the questions of its series, unless it has others', async () => {
  const { submit, html } = await withWeeks([1, 2])
  const question = (label: string) => ({
    '0.label': label,
    '0.purpose': 'To cook for you.',
    '0.deleteDaysAfter': '7',
  })
  await submit('/events/cooks/questions', question('Allergies'))
  expect(await html('/events/cooks-1/questions')).toContain('value="Allergies"')
  await submit('/events/cooks-2/questions', question('Lift'))
  const labels = async (id: string) =>
    (await html(`/events/${id}/questions`)).match(/(?<=value=")(?:Allergies|Lift)/g)
  expect(await Promise.all(['cooks', 'cooks-1', 'cooks-2'].map(labels))).toEqual([
    ['Allergies'],
    ['Allergies'],
    ['Lift'],
  ])
  expect(toText(await html('/records/events/cooks'))).toMatch(
    /other questions .*Allergies Not required · answers are deleted 7 days after each date/,
  )
  await submit('/events/cooks-2/questions', { '0.label': '' })
  expect(await labels('cooks-2')).toBeNull()
  await submit('/events/cooks-2/questions', { inherit: 'true' })
  expect(await labels('cooks-2')).toEqual(['Allergies'])
})

test('the calendar has the dates of a series, each with its own bookings', async () => {
  const person = await withSeries()
  const page = await person.html('/events?month=2027-03')
  expect(['Lunches', 'Lunch one', 'Lunch two'].map((name) => textBelow(page, name))).toEqual([
    undefined,
    'midday, 3 of 16',
    'midday, 2 of 16',
  ])
  expect(await person.html('/events?month=2027-04')).not.toContain('Lunch')
})

test('the page of an occurrence has its bookings, and deleting it deletes them alone', async () => {
  const { html, submit, json } = await withSeries()
  const textOf = async (path: string) => toText(await html(path))
  expect(await textOf('/records/events/lunch-1')).toContain('Bookings 3 ')
  expect(await textOf('/records/events/lunch')).toContain('To come 2 dates ')
  const page = await textOf('/records/events/lunch-1/delete')
  expect(page).toContain('3 bookings deleted with it')
  expect(await textOf('/records/events/lunch/delete')).toContain(
    'Its dates stay, as 2 separate events, or are deleted with it, except those with bookings.',
  )
  await submit('/records/events/lunch-1/delete', {})
  const { bookings } = await json<{ bookings: { bookingId: string }[] }>('/bookings')
  expect(bookings.map(({ bookingId }) => bookingId)).toEqual(['booking-1', 'b-3', 'b-4', 'b-5'])
  expect(await textOf('/records/events/lunch')).toContain('To come 1 date ')
})

test('a series takes no bookings and has no register, its dates do', async () => {
  const { html, post } = await withSeries()
  const actions = /new\/bookings\?event|events\/[\w-]+">\s*Register/
  expect(await html('/records/events/lunch')).not.toMatch(actions)
  expect(await html('/records/events/lunch-1')).toMatch(actions)
  const book = (event: string) =>
    post('/records/new/bookings', [
      ...Object.entries({ $event: event, memberId: '', userName: 'Ada Obi', $status: 'booked' }),
      ['$action', 'save'],
    ])
  const refused = await book('lunch')
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('Choose one of its dates'),
  ])
  expect((await book('lunch-1')).status).toBe(303)
})
