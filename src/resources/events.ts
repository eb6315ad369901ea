import { Hono } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { booleanFilter, textFilter } from '../http/named-filters.ts'
import type { Collection } from '../model/collection.ts'
import {
  boolean,
  id,
  nullableText,
  number,
  object,
  text,
  texts,
  timestamp,
} from '../model/properties.ts'
import { list, records } from '../routes/record-routes.ts'
import { single } from '../routes/single-route.ts'
import { writes } from '../routes/write-routes.ts'

/** Contract 2.6. */
export const Event = z
  .strictObject({
    eventId: id(),
    name: text(),
    managedBy: id(),
    tags: texts(),
    colour: text(),
    start: timestamp(),
    end: timestamp(),
    concluded: timestamp(),
    recurrence: object({ type: text(), recurring: boolean(), rrule: text() }),
    bookingDetails: object({
      description: text(),
      capacityTotal: number(),
      free: boolean(),
      price: number(),
      closed: boolean(),
      privateEvent: boolean(),
      bookable: boolean(),
      bookVolunteers: boolean(),
      volunteerCapacityTotal: number(),
      contactEmail: text(),
      contactPhone: text(),
    }),
    venue: object({
      venueId: text(),
      name: text(),
      address: text(),
      postcode: text(),
      bookable: boolean(),
    }),
    bookable: boolean(),
    attendees: number(),
    outcomeIds: texts(),
    parentEventId: nullableText(),
    created: timestamp(),
    updated: timestamp(),
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

const subject = records(collection, true)

export const routes = new Hono<Env>()
  .get(
    '/',
    ...list(collection, {
      eventId: textFilter('eventId'),
      bookable: booleanFilter('bookable'),
      tags: textFilter('tags'),
      parentEventId: textFilter('parentEventId'),
    }),
  )
  .get('/:eventId', ...single(subject))
  .route('/', writes(subject))
