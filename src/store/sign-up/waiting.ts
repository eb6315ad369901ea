import { sql } from 'drizzle-orm/sql'
import { ofOrganisation, ofRecord } from '../fragments.ts'
import { textOrUndefined } from '../read/single.ts'
import type { Store } from '../store.ts'
import { type EventPlaces, maxWaitingRead, placesColumn, selectWaiting } from './places.ts'

/** A booking on the waiting list; `contact` is JSON. */
export type WaitingBooking = { id: string; orderId: string; contact: string; name: string }

type StoredWaitingList = {
  organisationName: string
  /** The event as JSON; undefined if it was deleted. */
  event: string | undefined
  /** The settings of the public pages as JSON. */
  settings: string
  places: EventPlaces
  waiting: { participants: WaitingBooking[]; volunteers: WaitingBooking[] }
}

/** Reads an event's places and the first bookings on its waiting lists. */
export async function readWaitingList(store: Store, eventId: string): Promise<StoredWaitingList> {
  const { organisationId } = store
  const list = (isVolunteer: boolean) => sql`(
    SELECT json_group_array(json_object(
      'id', id, 'orderId', order_id, 'contact', contact, 'name', name
    ))
    FROM (${selectWaiting(organisationId, { eventId: sql`${eventId}`, isVolunteer })})
  )`
  const { head } = await store.read({
    name: sql`(SELECT name FROM organisations WHERE id = ${organisationId})`,
    event: sql`(SELECT document FROM records
      WHERE ${ofRecord({ organisationId }, { collection: 'events', id: eventId })})`,
    settings: sql`ifnull(
      (SELECT settings FROM public_pages WHERE ${ofOrganisation({ organisationId })}), '{}')`,
    places: placesColumn(organisationId, sql`${eventId}`),
    participants: list(false),
    volunteers: list(true),
  })
  return {
    organisationName: String(head.name),
    event: textOrUndefined(head.event),
    settings: String(head.settings),
    places: JSON.parse(String(head.places)),
    waiting: {
      participants: completeGroups(JSON.parse(String(head.participants))),
      volunteers: completeGroups(JSON.parse(String(head.volunteers))),
    },
  }
}

/** Removes the last group, of which the limit may have cut off a part. */
const completeGroups = (bookings: WaitingBooking[]) =>
  bookings.length < maxWaitingRead
    ? bookings
    : bookings.filter(({ orderId }) => orderId !== bookings.at(-1)?.orderId)
