import { sql } from 'drizzle-orm/sql'
import type { Permission } from '../../access/permissions.ts'
import { integer, nullable, text } from '../columns.ts'
import { ofCollection, ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'
import { linkScopes } from './write-sign-up.ts'

/** A booking that a private link leads to; documents, contact and answers are JSON. */
export type StoredLinkedBooking = {
  bookingId: string
  booking: string
  event: string | null
  contact: string
  answers: string
  questionAnswers: string
  sequence: number
  heldUntil: string | null
}

const maxBookings = 600

/**
 * Reads the booking of a link by the hash of its secret, for a family's link all bookings of the contact for the
 * event, and for the link of a sign-up all of its bookings: first those with a place, in order of arrival. Empty for
 * an unknown link.
 */
export async function readBookingsByLink(
  store: Store,
  hash: string,
  permissions: readonly Permission[] = ['read'],
): Promise<StoredLinkedBooking[]> {
  const { rows } = await store.select({
    rows: {
      columns: {
        bookingId: text(sql`sign_ups.booking_id`),
        booking: text(sql`booking.document`),
        event: nullable(text(sql`event.document`)),
        contact: text(sql`sign_ups.contact`),
        answers: text(sql`sign_ups.answers`),
        questionAnswers: text(sql`sign_ups.question_answers`),
        sequence: integer(sql`sign_ups.sequence`),
        heldUntil: nullable(text(sql`sign_ups.held_until`)),
      },
      from: sql`FROM booking_links
        CROSS JOIN sign_ups AS own ON own.organisation_id = booking_links.organisation_id
          AND own.booking_id = booking_links.booking_id
        CROSS JOIN sign_ups ON sign_ups.organisation_id = own.organisation_id AND sign_ups.booking_id IN (
          SELECT own.booking_id UNION SELECT other.booking_id FROM sign_ups AS other
          WHERE is_family = ${linkScopes.family} AND other.organisation_id = own.organisation_id
            AND lower(other.contact ->> '$.email') = lower(own.contact ->> '$.email')
            AND other.event_id = own.event_id
          UNION SELECT member.id FROM records AS own_booking
          CROSS JOIN terms ON ${ofCollection(store, 'bookings', 'terms')} AND terms.field = 'orderId'
            AND terms.value = own_booking.document ->> '$.orderId'
          CROSS JOIN term_ordinals ON term_ordinals.term_id = terms.id
          CROSS JOIN records AS member ON member.organisation_id = own.organisation_id
            AND member.collection = 'bookings' AND member.ordinal = term_ordinals.ordinal
          WHERE is_family = ${linkScopes.signUp} AND own_booking.organisation_id = own.organisation_id
            AND own_booking.collection = 'bookings' AND own_booking.id = own.booking_id
        )
        CROSS JOIN records AS booking ON booking.collection = 'bookings'
          AND booking.id = sign_ups.booking_id AND booking.organisation_id = sign_ups.organisation_id
        LEFT JOIN records AS event ON event.collection = 'events'
          AND event.id = sign_ups.event_id AND event.organisation_id = sign_ups.organisation_id
        WHERE booking_links.hash = ${hash} AND ${ofOrganisation(store, 'booking_links')}
        ORDER BY booking.document ->> '$.attending' DESC, booking.ordinal LIMIT ${sql.raw(String(maxBookings))}`,
    },
    permissions,
  })
  return rows
}

/** The ids of an order's bookings in a state, with their events. */
export async function readOrder(
  store: Store,
  orderId: string,
  userStatus: string,
): Promise<{ id: string; eventId: string }[]> {
  const { rows } = await store.select({
    rows: {
      columns: {
        id: text(sql`records.id`),
        eventId: text(sql`records.document ->> '$.eventId'`),
      },
      from: sql`FROM terms CROSS JOIN term_ordinals ON term_ordinals.term_id = terms.id
      CROSS JOIN records USING (organisation_id, collection, ordinal)
      WHERE ${ofCollection(store, 'bookings', 'terms')}
        AND terms.field = 'orderId' AND terms.value = ${orderId}
        AND records.document ->> '$.userStatus' = ${userStatus}`,
    },
  })
  return rows
}
