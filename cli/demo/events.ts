import { type Activity, outcomeOf, venues } from './activity.ts'
import type { Booking } from './bookings.ts'
import { at, daysAfter, earlier, minutesAfter, monthsAfter } from './calendar.ts'
import { organisation, present } from './organisation.ts'
import { type Series, series } from './series.ts'
import { yearly } from './yearly.ts'

export type Event = ReturnType<typeof event>

const colours: Record<keyof typeof venues, string> = {
  hall: '#2F6B9A',
  kitchen: '#C4572E',
  library: '#6A4C93',
  park: '#3B7A57',
  studio: '#B23A6F',
}
const once = { type: 'none', recurring: false, rrule: '' }

/** Each series with its instances, then what is held once a year; nobody has booked yet. */
export function events(): Event[] {
  return [
    ...series.flatMap((activity, index) => recurring(`event-series-${index + 1}`, activity)),
    ...yearly.flatMap((activity, index) =>
      activity.days.map((day) =>
        event(`event-${day.slice(0, 4)}-${String(index + 1).padStart(2, '0')}`, activity, day),
      ),
    ),
  ]
}

/** The events with those counted who attend them; a series has the attendees of all its instances. */
export function withAttendees(events: Event[], bookings: Booking[]): Event[] {
  const counts = new Map<string, number>()
  for (const { attending, eventId, childEventId } of bookings) {
    for (const id of [eventId, childEventId]) {
      if (attending && id !== null) counts.set(id, (counts.get(id) ?? 0) + 1)
    }
  }
  return events.map((event) => ({ ...event, attendees: counts.get(event.eventId) ?? 0 }))
}

function recurring(id: string, activity: Series): Event[] {
  const { first, count, weeks } = activity
  const days = Array.from({ length: count }, (_, index) =>
    weeks === 'monthly' ? monthsAfter(first, index) : daysAfter(first, 7 * weeks * index),
  )
  const recurrence =
    weeks === 'monthly'
      ? { type: 'monthly', recurring: true, rrule: `FREQ=MONTHLY;COUNT=${count}` }
      : { type: 'weekly', recurring: true, rrule: `FREQ=WEEKLY;INTERVAL=${weeks};COUNT=${count}` }
  const instances = days.map((day, index) =>
    event(`${id}-${String(index + 1).padStart(2, '0')}`, activity, day, { parentEventId: id }),
  )
  const last = instances.at(-1)
  const whole = event(id, activity, first, { recurrence })
  return [
    {
      ...whole,
      concluded: last?.concluded ?? null,
      bookable: last?.bookable ?? false,
      bookingDetails: { ...whole.bookingDetails, closed: last?.bookingDetails.closed ?? true },
      updated: last?.updated ?? whole.updated,
    },
    ...instances,
  ]
}

function event(
  eventId: string,
  activity: Activity,
  day: string,
  {
    recurrence = once,
    parentEventId = null,
  }: { recurrence?: typeof once; parentEventId?: string | null } = {},
) {
  const { name, description, tags, hour, minutes, capacity, price, venue } = activity
  const start = at(day, hour)
  const end = minutesAfter(start, minutes)
  const over = day <= present
  const created = at(daysAfter(earlier(day, present), -70), '10:15')
  return {
    eventId,
    name,
    managedBy: organisation.id,
    tags,
    colour: colours[venue],
    start,
    end,
    concluded: over ? minutesAfter(end, 30) : null,
    recurrence,
    bookingDetails: {
      description,
      capacityTotal: capacity,
      free: price === 0,
      price,
      closed: over,
      privateEvent: name.startsWith('Carers'),
      bookable: true,
      bookVolunteers: capacity >= 60,
      volunteerCapacityTotal: capacity >= 60 ? Math.round(capacity / 10) : 0,
      contactEmail: 'events@example.org',
      contactPhone: '020 7946 0100',
    },
    venue: { venueId: `venue-${venue}`, ...venues[venue], bookable: venue !== 'park' },
    bookable: !over,
    attendees: 0,
    outcomeIds: [...new Set(tags.map((tag) => outcomeOf[tag]))],
    parentEventId,
    created,
    updated: over ? minutesAfter(end, 30) : created,
  }
}
