import { expect, test } from 'vitest'
import { everything, putEverything } from '../examples/everything.ts'
import { newSignedIn } from './signed-in.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** A series with 16 places and two occurrences; 3 people come to the first, 2 to the second, and 1 does not. */
async function withSeries() {
  const person = await newSignedIn('editor')
  await putEverything(person)
  const recurrence = { type: 'weekly', recurring: true, rrule: 'FREQ=WEEKLY' }
  const event = (eventId: string, values: object) => ({
    id: eventId,
    document: {
      ...everything.events?.document,
      ...{ eventId, managedBy: person.id, bookingDetails: { capacityTotal: 16 } },
      ...values,
    },
  })
  await person.put('events', [
    event('lunch', { name: 'Lunches', start: inDays(1), recurrence, parentEventId: null }),
    event('lunch-1', { name: 'Lunch one', start: inDays(1), parentEventId: 'lunch' }),
    event('lunch-2', { name: 'Lunch two', start: inDays(8), parentEventId: 'lunch' }),
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

/** The texts of a table's cells behind a name. */
const rowOf = (html: string, name: string) => {
  const [, row = ''] = new RegExp(`<tr>(<th[^>]*><a[^>]*>${name}<.*?)</tr>`, 's').exec(html) ?? []
  return [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) =>
    cell.replaceAll(/<[^>]*>/g, ''),
  )
}

test('an occurrence counts its own bookings, and a series those of all its occurrences', async () => {
  const person = await withSeries()
  const page = await person.html('/events')
  expect(['Lunches', 'Lunch one', 'Lunch two'].map((name) => rowOf(page, name).slice(1))).toEqual([
    ['4', '–'],
    ['3', '13'],
    ['2', '14'],
  ])
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
