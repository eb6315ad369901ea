import { sql } from 'drizzle-orm/sql'
import { json, optional, text } from '../columns.ts'
import { documentOf, ofOrganisation, organisationColumn } from '../fragments.ts'
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
  const waitingFor = (isVolunteer: boolean) =>
    json<WaitingBooking[]>(sql`(
      SELECT json_group_array(json_object(
        'id', id, 'orderId', order_id, 'contact', contact, 'name', name
      ))
      FROM (${selectWaiting(organisationId, { eventId: sql`${eventId}`, isVolunteer })})
    )`)
  const { head } = await store.select({
    head: {
      organisationName: text(organisationColumn(store, 'name')),
      event: optional(text(documentOf(store, 'events', eventId))),
      settings: text(
        sql`ifnull((SELECT settings FROM public_pages WHERE ${ofOrganisation(store)}), '{}')`,
      ),
      places: placesColumn(organisationId, sql`${eventId}`),
      participants: waitingFor(false),
      volunteers: waitingFor(true),
    },
  })
  const { participants, volunteers, ...list } = head
  const waiting = {
    participants: completeGroups(participants),
    volunteers: completeGroups(volunteers),
  }
  return { ...list, waiting }
}

/** Removes the last group, of which the limit may have cut off a part. */
const completeGroups = (bookings: WaitingBooking[]) =>
  bookings.length < maxWaitingRead
    ? bookings
    : bookings.filter(({ orderId }) => orderId !== bookings.at(-1)?.orderId)
