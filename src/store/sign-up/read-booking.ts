import { sql } from 'drizzle-orm/sql'
import type { Permission } from '../../access/permissions.ts'
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
  const { organisationId } = store
  const { rows } = await store.read(
    {},
    {
      columns: [
        'booking_id',
        'booking',
        'event',
        'contact',
        'answers',
        'question_answers',
        'sequence',
        'held_until',
      ],
      rows: sql`
        SELECT sign_ups.booking_id, booking.document, event.document AS event, contact, answers,
          question_answers, sequence, held_until
        FROM booking_links
        CROSS JOIN sign_ups ON sign_ups.organisation_id = booking_links.organisation_id
          AND sign_ups.booking_id = booking_links.booking_id
        CROSS JOIN records AS booking ON booking.collection = 'bookings'
          AND booking.id = sign_ups.booking_id AND booking.organisation_id = sign_ups.organisation_id
        LEFT JOIN records AS event ON event.collection = 'events'
          AND event.id = sign_ups.event_id AND event.organisation_id = sign_ups.organisation_id
        WHERE booking_links.hash = ${hash} AND ${ofOrganisation({ organisationId }, 'booking_links')}`,
    },
    { permissions },
  )
  const [row] = rows
  return (
    row && {
      bookingId: String(row.booking_id),
      booking: String(row.booking),
      event: row.event === null ? null : String(row.event),
      contact: String(row.contact),
      answers: String(row.answers),
      questionAnswers: String(row.question_answers),
      sequence: Number(row.sequence),
      heldUntil: row.held_until === null ? null : String(row.held_until),
    }
  )
}

/** Returns the ids of an order's bookings in a state. */
export async function readOrder(
  store: Store,
  orderId: string,
  userStatus: string,
): Promise<string[]> {
  const { organisationId } = store
  const rows = await store.rows({
    columns: ['id'],
    rows: sql`
      SELECT records.id
      FROM terms CROSS JOIN term_ordinals ON term_ordinals.term_id = terms.id
      CROSS JOIN records USING (organisation_id, collection, ordinal)
      WHERE ${ofCollection({ organisationId }, 'bookings', 'terms')}
        AND terms.field = 'orderId' AND terms.value = ${orderId}
        AND records.document ->> '$.userStatus' = ${userStatus}`,
  })
  return rows.map(({ id }) => String(id))
}
