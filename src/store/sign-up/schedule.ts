import { sql } from 'drizzle-orm/sql'
import { isSettledHere } from '../databases.ts'
import { statement } from '../statement.ts'
import type { Store } from '../store.ts'
import { replaceDocuments } from '../version.ts'

const maxHolds = 200
const maxEvents = 100

export type EventOfOrganisation = { organisationId: string; eventId: string }

/** Finds the bookings of all organisations that hold a place no longer than `now`. */
export async function findEndedHolds(
  DB: D1Database,
  now: string,
): Promise<(EventOfOrganisation & { bookingId: string })[]> {
  const { results } = await statement(
    DB,
    sql`SELECT organisation_id AS organisationId, event_id AS eventId, booking_id AS bookingId
      FROM sign_ups
      WHERE held_until <= ${now} AND ${isSettledHere(sql`sign_ups.organisation_id`)}
      ORDER BY held_until LIMIT ${maxHolds}`,
  ).all<EventOfOrganisation & { bookingId: string }>()
  return results
}

/** Frees the places of bookings that were held no longer than `now`, unless they were confirmed since. */
export async function lapseBookings(
  store: Store,
  bookingIds: readonly string[],
  now: string,
): Promise<void> {
  const { organisationId, credential } = store
  const isEnded = sql`organisation_id = ${organisationId} AND held_until <= ${now}
    AND booking_id IN (SELECT value FROM json_each(${JSON.stringify(bookingIds)}))`
  await store.write({ permissions: ['write'] }, [
    replaceDocuments(
      credential.author,
      sql`collection = 'bookings' AND organisation_id = ${organisationId}
        AND records.id IN (SELECT booking_id FROM sign_ups WHERE ${isEnded})
        AND document ->> '$.userStatus' IN ('unconfirmed', 'pending', 'offered')`,
      sql`json_set(records.document, '$.userStatus', 'lapsed', '$.attending', json('false'),
        '$.updated', ${now})`,
      { isWrite: true },
    ),
    sql`UPDATE sign_ups SET held_until = NULL, sequence = sequence + 1 WHERE ${isEnded}`,
  ])
}

/** Finds the events with people on the waiting list, of all organisations with public pages. */
export async function findEventsWithWaiting(DB: D1Database): Promise<EventOfOrganisation[]> {
  const { results } = await statement(
    DB,
    sql`SELECT DISTINCT sign_ups.organisation_id AS organisationId, event_id AS eventId
      FROM public_pages
      CROSS JOIN terms ON terms.organisation_id = public_pages.organisation_id
        AND terms.collection = 'bookings' AND terms.field = 'userStatus' AND terms.value = 'waiting'
      CROSS JOIN term_ordinals ON term_ordinals.term_id = terms.id
      CROSS JOIN records ON records.organisation_id = terms.organisation_id
        AND records.collection = 'bookings' AND records.ordinal = term_ordinals.ordinal
      CROSS JOIN sign_ups ON sign_ups.organisation_id = records.organisation_id
        AND booking_id = records.id
      WHERE enabled = 1 AND ${isSettledHere(sql`public_pages.organisation_id`)}
      LIMIT ${maxEvents}`,
  ).all<EventOfOrganisation>()
  return results
}
