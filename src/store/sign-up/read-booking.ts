import { sql } from 'drizzle-orm/sql'
import type { Permission } from '../../access/permissions.ts'
import { integer, nullable, text } from '../columns.ts'
import { ofCollection, ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'

/** A booking that a private link leads to; documents, contact and answers are JSON. */
type StoredLinkedBooking = {
  bookingId: string
  booking: string
  event: string | null
  contact: string
  answers: string
  questionAnswers: string
  sequence: number
  heldUntil: string | null
}

/** Reads the booking of a link by the hash of its secret; undefined for an unknown one. */
export async function readBookingByLink(
  store: Store,
  hash: string,
  permissions: readonly Permission[] = ['read'],
): Promise<StoredLinkedBooking | undefined> {
  const { rows } = await store.select({
    rows: {
      columns: {
        bookingId: text(sql`sign_ups.booking_id`),
        booking: text(sql`booking.document`),
        event: nullable(text(sql`event.document`)),
        contact: text(sql`contact`),
        answers: text(sql`answers`),
        questionAnswers: text(sql`question_answers`),
        sequence: integer(sql`sequence`),
        heldUntil: nullable(text(sql`held_until`)),
      },
      from: sql`FROM booking_links
        CROSS JOIN sign_ups ON sign_ups.organisation_id = booking_links.organisation_id
          AND sign_ups.booking_id = booking_links.booking_id
        CROSS JOIN records AS booking ON booking.collection = 'bookings'
          AND booking.id = sign_ups.booking_id AND booking.organisation_id = sign_ups.organisation_id
        LEFT JOIN records AS event ON event.collection = 'events'
          AND event.id = sign_ups.event_id AND event.organisation_id = sign_ups.organisation_id
        WHERE booking_links.hash = ${hash} AND ${ofOrganisation(store, 'booking_links')}`,
    },
    permissions,
  })
  return rows[0]
}

/** The ids of an order's bookings in a state. */
export async function readOrder(
  store: Store,
  orderId: string,
  userStatus: string,
): Promise<string[]> {
  const { rows } = await store.select({
    rows: {
      columns: { id: text(sql`records.id`) },
      from: sql`FROM terms CROSS JOIN term_ordinals ON term_ordinals.term_id = terms.id
      CROSS JOIN records USING (organisation_id, collection, ordinal)
      WHERE ${ofCollection(store, 'bookings', 'terms')}
        AND terms.field = 'orderId' AND terms.value = ${orderId}
        AND records.document ->> '$.userStatus' = ${userStatus}`,
    },
  })
  return rows.map(({ id }) => id)
}
