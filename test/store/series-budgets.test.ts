import { expect, test } from 'vitest'
import { newSignedIn } from '../dashboard/signed-in.ts'
import { rowsRead } from '../organisation.ts'

const [dates, bookingsOfDate, otherEvents, otherBookings] = [200, 10, 2000, 16_000]

const day = (number: number) => new Date(Date.UTC(2020, 0, 1 + number)).toISOString()

/** An organisation of 20,000 records: a series of 200 dates with ten bookings each, and other events with theirs. */
async function newSeriesOrganisation() {
  const person = await newSignedIn('reader')
  await person.schema('members', [])
  const event = (id: string, number: number, values: object = {}) => ({
    id,
    document: { eventId: id, name: id, start: day(number), end: day(number), ...values },
  })
  const events = [
    event('series', 0, { recurrence: { recurring: true, rrule: 'FREQ=WEEKLY' } }),
    ...Array.from({ length: dates }, (_, index) =>
      event(`date-${index}`, 7 * index, { parentEventId: 'series' }),
    ),
    ...Array.from({ length: otherEvents }, (_, index) => event(`other-${index}`, index)),
  ]
  const booking = (id: string, eventId: string, member: number) => ({
    id,
    document: {
      bookingId: id,
      eventId,
      childEventId: null,
      memberId: `m-${member}`,
      date: '2020-01-01',
      attending: true,
      orgStatus: member % 3 === 0 ? 'absent' : 'attended',
    },
  })
  const bookings = [
    ...Array.from({ length: otherBookings }, (_, index) =>
      booking(`b-${index}`, `other-${index % otherEvents}`, index % 500),
    ),
    // Bookings of the dates are scattered among the others of the index.
    ...Array.from({ length: dates * bookingsOfDate }, (_, index) =>
      booking(`d-${index}`, `date-${index % dates}`, index % 90),
    ),
  ]
  for (const [collection, records] of [
    ['events', events],
    ['bookings', bookings],
  ] as const)
    for (let from = 0; from < records.length; from += 2000)
      await person.put(collection, records.slice(from, from + 2000))
  return person
}

test('the page of a series of 200 dates reads what they need, whatever else the organisation has', async () => {
  const person = await newSeriesOrganisation()
  const page = await person.visit('/records/events/series')
  expect(await page.text()).toContain('200 dates: ')
  expect(rowsRead(page)).toBeLessThanOrEqual(3 * dates * bookingsOfDate + 20 * dates + 300)
  const list = await person.visit('/records/events')
  expect(await list.text()).toContain('2,200 events')
  // The first step along the order, of 1,000 bitmaps, as with any filter.
  expect(rowsRead(list)).toBeLessThanOrEqual(3 * 1000 + 300)
}, 120_000)
