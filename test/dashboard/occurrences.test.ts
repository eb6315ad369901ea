import { expect, test } from 'vitest'
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

/** The text below an event's name in the calendar. */
const textBelow = (html: string, name: string) =>
  new RegExp(`>${name}</a><small>(.*?)</small>`).exec(html)?.[1]

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
  const textOf = async (path: string) =>
    (await html(path)).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  expect(await textOf('/records/events/lunch-1')).toContain('Bookings 3 ')
  expect(await textOf('/records/events/lunch')).toContain('Bookings 5 ')
  expect(await textOf('/records/events/lunch')).toContain('Dates 2 ')
  const page = await textOf('/records/events/lunch-1/delete')
  expect(page).toContain('3 bookings deleted with it')
  expect(await textOf('/records/events/lunch/delete')).toContain(
    'Its dates stay, as 2 separate events.',
  )
  await submit('/records/events/lunch-1/delete', {})
  const { bookings } = await json<{ bookings: { bookingId: string }[] }>('/bookings')
  expect(bookings.map(({ bookingId }) => bookingId)).toEqual(['booking-1', 'b-3', 'b-4', 'b-5'])
  expect(await textOf('/records/events/lunch')).toContain('Bookings 3 ')
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
