import { Hono } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { booleanFilter, textFilter } from '../http/named-filters.ts'
import type { Collection } from '../model/collection.ts'
import {
  boolean,
  created,
  id,
  managedBy,
  nullableText,
  number,
  object,
  text,
  texts,
  timestamp,
  updated,
} from '../model/properties/types.ts'
import { listRecords, recordResource } from './routes/record-routes.ts'
import { getRecord } from './routes/single-route.ts'
import { writeRoutes } from './routes/write-routes.ts'

/** Contract 2.6. */
export const Event = z
  .strictObject({
    eventId: id('The id of the event: unique among the organisation’s events.', 'event-open-day-1'),
    name: text('What the event is called.', 'Open Day'),
    managedBy: managedBy(),
    tags: texts('Words that events are grouped by.', 'Community', 'Food'),
    colour: text('The colour of the event in calendars, as hexadecimal RGB.', '#3366cc'),
    start: timestamp('When it begins, in UTC.', '2026-06-20T10:00:00.000Z'),
    end: timestamp('When it ends, in UTC.', '2026-06-20T14:00:00.000Z'),
    concluded: timestamp(
      'When it was marked as over, in UTC; null while it is not.',
      '2026-06-20T15:12:00.000Z',
    ),
    recurrence: object('How it is repeated.', {
      type: text('How often: `daily`, `weekly`, `monthly`, and others the source has.', 'weekly'),
      recurring: boolean('Whether it is repeated.'),
      rrule: text('The rule of repetition, as iCalendar writes one.', 'FREQ=WEEKLY;BYDAY=TU'),
    }),
    bookingDetails: object('What those who want to come are told and held to.', {
      description: text('What people read before they book.', 'Bring a dish to share.'),
      capacityTotal: number('How many people can come; null if that is not limited.', 40),
      free: boolean('Whether it costs nothing.'),
      price: number(
        'The price for one person, in the organisation’s currency, if it is not free.',
        4.5,
      ),
      closed: boolean('Whether booking is closed.', false),
      privateEvent: boolean('Whether only those who are invited can book.', false),
      bookable: boolean('Whether places can be booked.'),
      bookVolunteers: boolean('Whether volunteers can book as well.'),
      volunteerCapacityTotal: number(
        'How many volunteers can come; null if that is not limited.',
        6,
      ),
      contactEmail: text('The e-mail address for questions.', 'hello@example.org'),
      contactPhone: text('The telephone number for questions.', '0113 496 0000'),
    }),
    venue: object('Where it takes place.', {
      venueId: text('The id of the venue in the system it comes from.', 'venue-hall'),
      name: text('What the venue is called.', 'Holbeck Hall'),
      address: text('The address, without the postcode.', '12 Sweet Street, Leeds'),
      postcode: text('The postcode, as it was given.', 'LS11 0ES'),
      bookable: boolean('Whether the venue itself can be booked.', false),
    }),
    bookable: boolean('Whether the event takes bookings.'),
    attendees: number('How many people attend or attended, as the source counts them.', 23),
    outcomeIds: texts('The ids of the outcomes it works towards.', 'outcome-confidence'),
    parentEventId: nullableText(
      'The id of the event that this is one occurrence of; null for an event of its own.',
      'event-open-day',
    ),
    created: created(),
    updated: updated(),
  })
  .meta({ id: 'Event' })

export const collection = {
  name: 'events',
  plural: 'events',
  singular: 'event',
  id: 'eventId',
  record: Event,
  item: Event,
} satisfies Collection

const resource = recordResource(collection, true)

export const routes = new Hono<Env>()
  .get(
    '/',
    ...listRecords(
      collection,
      {
        eventId: textFilter('eventId', 'Only the event with this id.', 'event-open-day-1'),
        bookable: booleanFilter('bookable', 'Only events that take bookings, or that do not.'),
        tags: textFilter('tags', 'Only events that have this tag among theirs.', 'Food'),
        parentEventId: textFilter(
          'parentEventId',
          'Only the occurrences of the repeated event with this id.',
          'event-open-day',
        ),
      },
      { 'venue.postcode': 'LS11 0ES' },
    ),
  )
  .get('/:eventId', ...getRecord(resource))
  .route('/', writeRoutes(resource))
