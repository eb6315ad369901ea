import { expect, test } from 'vitest'
import { demo } from './records.ts'

const week = 7 * 24 * 60 * 60 * 1000

test('an instance has a series, and a series has all the instances of its rule', () => {
  const series = demo.events.filter(({ recurrence }) => recurrence.recurring)
  expect(series.length).toBeGreaterThan(1)
  for (const { eventId, recurrence, start, end } of series) {
    const instances = demo.events.filter(({ parentEventId }) => parentEventId === eventId)
    const starts = instances.map(({ start }) => Date.parse(start ?? ''))
    const { INTERVAL, COUNT, UNTIL } = Object.fromEntries(
      recurrence.rrule.split(';').map((part) => part.split('=')),
    )
    const every = starts.map((_, index) => (starts[0] ?? 0) + index * INTERVAL * week)
    expect(starts).toEqual(every)
    expect(instances[0]).toMatchObject({ start, end })
    if (COUNT) expect(instances).toHaveLength(Number(COUNT))
    else expect(instances.at(-1)?.start?.slice(0, 10).replaceAll('-', '')).toBe(UNTIL.slice(0, 8))
  }
})

test('attendee counts match the bookings and fit the capacity', () => {
  for (const { eventId, attendees, bookingDetails, recurrence } of demo.events) {
    const booked = demo.bookings.filter(
      (booking) => booking.eventId === eventId || booking.childEventId === eventId,
    )
    expect(attendees).toBe(booked.filter(({ attending }) => attending).length)
    expect(attendees).toBeGreaterThan(0)
    if (!recurrence.recurring)
      expect(booked.length).toBeLessThanOrEqual(bookingDetails.capacityTotal ?? 0)
  }
})

test('a booking is at the time of its event, made once, after the member joined and before it began', () => {
  const events = new Map(demo.events.map((event) => [event.eventId, event]))
  const members = new Map(demo.members.map((member) => [member.memberId, member]))
  const places = new Set<string>()
  for (const booking of demo.bookings) {
    const { start, end, duration, memberId } = booking
    const occasion = booking.childEventId ?? booking.eventId
    const event = events.get(occasion)
    expect(booking).toMatchObject({ name: event?.name, start: event?.start, end: event?.end })
    expect(booking.eventId).toBe(event?.parentEventId ?? event?.eventId)
    expect(booking.date).toBe(start?.slice(0, 10))
    expect(Date.parse(end ?? '') - Date.parse(start ?? '')).toBe((duration ?? 0) * 60_000)
    const order = [members.get(memberId)?.Joined ?? '', booking.created, booking.updated, start]
    expect(order.toSorted()).toEqual(order)
    places.add(`${occasion} ${memberId}`)
  }
  expect(places.size).toBe(demo.bookings.length)
})

test('members attended in each of the last twelve months', () => {
  const attended = demo.bookings.filter(({ attending }) => attending)
  const months = new Set(attended.map(({ date }) => date?.slice(0, 7)))
  const last = Array.from({ length: 12 }, (_, back) =>
    new Date(Date.UTC(2026, 10 - back)).toISOString().slice(0, 7),
  )
  expect(last.filter((month) => !months.has(month))).toEqual([])
})
