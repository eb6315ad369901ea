import { sql } from 'drizzle-orm/sql'
import { flag, optional, text } from '../columns.ts'
import { ofCollection, ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'
import { registerEvent } from './event-bookings.ts'
import { isWaiting } from './places.ts'
import { formColumns, type StoredSignUpForm } from './read-event.ts'

/** A booking that a message is about. `document`, `contact` and `event`, its event or date, are JSON. */
export type MailingBooking = {
  id: string
  document: string
  event: string
  /** The person who signed up; undefined for a booking that did not come from the public pages. */
  contact: string | undefined
  isWaiting: boolean
}

/** Reads an event, and those of some bookings that are still for it or its dates, in order of arrival. */
export async function readMailingBookings(
  store: Store,
  eventId: string,
  bookingIds: readonly string[],
): Promise<{ form: StoredSignUpForm; bookings: MailingBooking[] }> {
  const { head: form, rows: bookings } = await store.select({
    head: formColumns(store, eventId),
    rows: {
      columns: {
        id: text(sql`records.id`),
        document: text(sql`records.document`),
        event: text(sql`event.document`),
        contact: optional(text(sql`sign_ups.contact`)),
        isWaiting: flag(isWaiting),
      },
      from: sql`FROM json_each(${JSON.stringify(bookingIds)}) AS item
        CROSS JOIN records ON ${ofCollection(store, 'bookings')} AND records.id = item.value
        LEFT JOIN sign_ups ON ${ofOrganisation(store, 'sign_ups')} AND sign_ups.booking_id = records.id
        CROSS JOIN records AS event ON ${ofCollection(store, 'events', 'event')}
          AND event.id = ${registerEvent('records')}
        WHERE event.id = ${eventId} OR event.document ->> '$.parentEventId' = ${eventId}
        ORDER BY records.ordinal`,
    },
  })
  return { form, bookings }
}
