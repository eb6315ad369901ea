import type { Env } from '../auth/env.ts'
import { booleanFilter, textFilter } from '../http/filters.ts'
import { Hono } from '../http/hono.ts'
import type { Collection } from '../model/collection.ts'
import {
  boolean,
  created,
  id,
  managedBy,
  nullableText,
  number,
  object,
  record,
  text,
  textList,
  timestamp,
  updated,
} from '../model/properties/types.ts'
import { listRoute } from './routes/list-route.ts'
import { recordList, recordResource } from './routes/record-routes.ts'
import { getRecord } from './routes/single-route.ts'
import { writeRoutes } from './routes/write-routes.ts'

export const eventRecord = record('Event', {
  eventId: id('The id of the event: unique among the organisation’s events.', 'event-open-day-1'),
  name: text('The name of the event.', 'Open Day'),
  managedBy: managedBy(),
  tags: textList('The tags of the event.', 'Community', 'Food'),
  colour: text('The colour of the event in calendars, as hexadecimal RGB.', '#3366cc'),
  start: timestamp('The start, in UTC.', '2026-06-20T10:00:00.000Z'),
  end: timestamp('The end, in UTC.', '2026-06-20T14:00:00.000Z'),
  concluded: timestamp(
    'The time when it was marked as completed, in UTC; null before it.',
    '2026-06-20T15:12:00.000Z',
  ),
  recurrence: object('The recurrence of the event.', {
    type: text(
      'The frequency: `daily`, `weekly`, `monthly`, or another value of the source.',
      'weekly',
    ),
    recurring: boolean('Whether the event recurs.'),
    rrule: text('The recurrence rule in the form of iCalendar.', 'FREQ=WEEKLY;BYDAY=TU'),
  }),
  bookingDetails: object('The conditions for bookings.', {
    description: text('The text that people read before they book.', 'Bring a dish to share.'),
    capacityTotal: number('The maximum number of people; null for no limit.', 40),
    free: boolean('Whether the event is free.'),
    price: number(
      'The price for one person, in the organisation’s currency, if the event is not free.',
      4.5,
    ),
    closed: boolean('Whether booking is closed.', false),
    privateEvent: boolean('Whether only invited people can book.', false),
    bookable: boolean('Whether places can be booked.'),
    bookVolunteers: boolean('Whether volunteers can book too.'),
    volunteerCapacityTotal: number('The maximum number of volunteers; null for no limit.', 6),
    contactEmail: text('The email address for questions.', 'hello@example.org'),
    contactPhone: text('The telephone number for questions.', '0113 496 0000'),
  }),
  venue: object('The venue of the event.', {
    venueId: text('The id of the venue in the source system.', 'venue-hall'),
    name: text('The name of the venue.', 'Holbeck Hall'),
    address: text('The address, without the postcode.', '12 Sweet Street, Leeds'),
    postcode: text('The postcode, as the source wrote it.', 'LS11 0ES'),
    bookable: boolean('Whether the venue itself can be booked.', false),
  }),
  bookable: boolean('Whether the event accepts bookings.'),
  attendees: number('The number of people who attend or attended, counted by the source.', 23),
  outcomeIds: textList(
    'The ids of the outcomes that the event works towards.',
    'outcome-confidence',
  ),
  parentEventId: nullableText(
    'The id of the recurring event that this is an occurrence of; null for a separate event.',
    'event-open-day',
  ),
  created: created(),
  updated: updated(),
})

export const collection = {
  name: 'events',
  plural: 'events',
  singular: 'event',
  id: 'eventId',
  record: eventRecord,
} satisfies Collection

export const resource = recordResource(collection, { isAddition: true })

export const list = recordList(collection, {
  eventId: textFilter('eventId', 'Only the event with this id.', 'event-open-day-1'),
  bookable: booleanFilter('bookable', 'Only events that accept bookings, or only others.'),
  tags: textFilter('tags', 'Only events with this tag.', 'Food'),
  parentEventId: textFilter(
    'parentEventId',
    'Only occurrences of the recurring event with this id.',
    'event-open-day',
  ),
})

export const routes = new Hono<Env>()
  .get('/', listRoute(list))
  .get('/:eventId', getRecord(resource))
  .route('/', writeRoutes(resource))
