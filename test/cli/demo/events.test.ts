import { expect, test } from 'vitest'
import { collections } from '../../../cli/demo/demo.ts'

const demo = collections()

test('an instance has a series, and a series has all its instances', () => {
  const series = demo.events.filter(({ recurrence }) => recurrence.recurring)
  expect(series.length).toBeGreaterThan(1)
  for (const { eventId, recurrence, start, end } of series) {
    const instances = demo.events.filter(({ parentEventId }) => parentEventId === eventId)
    expect(instances).toHaveLength(Number(/COUNT=(\d+)/.exec(recurrence.rrule)?.[1]))
    expect(instances[0]).toMatchObject({ start, end })
  }
})

test('attendees are the bookings of those who attend, and there is room for them', () => {
  for (const { eventId, attendees, bookingDetails, recurrence } of demo.events) {
    const booked = demo.bookings.filter(
      (booking) => booking.eventId === eventId || booking.childEventId === eventId,
    )
    expect(attendees).toBe(booked.filter(({ attending }) => attending).length)
    expect(attendees).toBeGreaterThan(0)
    if (!recurrence.recurring)
      expect(booked.length).toBeLessThanOrEqual(bookingDetails.capacityTotal)
  }
})

test('a booking is at the time of its event, made once, after the member joined and before it began', () => {
  const events = new Map(demo.events.map((event) => [event.eventId, event]))
  const members = new Map(demo.members.map((member) => [member.memberId, member]))
  const places = new Set<string>()
  for (const booking of demo.bookings) {
    const occasion = booking.childEventId ?? booking.eventId
    const event = events.get(occasion)
    expect(booking).toMatchObject({ name: event?.name, start: event?.start, end: event?.end })
    expect(booking.eventId).toBe(event?.parentEventId ?? event?.eventId)
    expect(booking.date).toBe(booking.start.slice(0, 10))
    expect(Date.parse(booking.end) - Date.parse(booking.start)).toBe(booking.duration * 60_000)
    const order = [
      members.get(booking.memberId)?.Joined,
      booking.created,
      booking.updated,
      booking.start,
    ]
    expect(order.toSorted()).toEqual(order)
    places.add(`${occasion} ${booking.memberId}`)
  }
  expect(places.size).toBe(demo.bookings.length)
})
