import { sql } from 'drizzle-orm/sql'
import { isSettledHere } from '../databases.ts'
import { ofOrganisation } from '../fragments.ts'
import { statement } from '../statement.ts'
import type { Store } from '../store.ts'
import { replaceDocuments } from '../version.ts'
import { isWaiting } from './places.ts'

const maxHolds = 200
const maxEvents = 100
const maxWaiting = 1000

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
  const isEnded = sql`${ofOrganisation({ organisationId })} AND held_until <= ${now}
    AND booking_id IN (SELECT value FROM json_each(${JSON.stringify(bookingIds)}))`
  await store.write({ permissions: ['write'] }, [
    replaceDocuments(
      credential.author,
      sql`collection = 'bookings' AND ${ofOrganisation({ organisationId })}
        AND records.id IN (SELECT booking_id FROM sign_ups WHERE ${isEnded})
        AND document ->> '$.userStatus' IN ('unconfirmed', 'pending', 'offered')`,
      sql`json_set(records.document, '$.userStatus', 'lapsed', '$.attending', json('false'),
        '$.updated', ${now})`,
      { isWrite: true },
    ),
    sql`UPDATE sign_ups SET held_until = NULL, sequence = sequence + 1 WHERE ${isEnded}`,
  ])
}

/**
 * Takes the events to come with people on the waiting list that were looked at longest ago, of all
 * organisations with public pages. Sign-ups of other events count as looked at, so that they delay nobody.
 */
export async function takeEventsWithWaiting(
  DB: D1Database,
  now: string,
): Promise<EventOfOrganisation[]> {
  const { results } = await statement(
    DB,
    sql`SELECT organisation_id AS organisationId, event_id AS eventId,
        ${isToCome(now)} AS isToCome
      FROM (
        SELECT DISTINCT organisation_id, event_id FROM (
          SELECT organisation_id, event_id FROM sign_ups INDEXED BY sign_ups_waiting
          WHERE ${isWaiting}
          ORDER BY waiting_checked, organisation_id, event_id LIMIT ${maxWaiting}
        )
        LIMIT ${maxEvents}
      ) AS waiting`,
  ).all<EventOfOrganisation & { isToCome: number }>()
  if (results.length === 0) return []
  await statement(
    DB,
    sql`UPDATE sign_ups SET waiting_checked = ${now}
      WHERE ${isWaiting} AND (organisation_id, event_id) IN (
        SELECT value ->> '$.organisationId', value ->> '$.eventId'
        FROM json_each(${JSON.stringify(results)})
      )`,
  ).run()
  return results.flatMap(({ organisationId, eventId, isToCome }) =>
    isToCome ? [{ organisationId, eventId }] : [],
  )
}

const isToCome = (now: string) => sql`(
  EXISTS (
    SELECT 1 FROM public_pages WHERE public_pages.organisation_id = waiting.organisation_id
      AND enabled = 1
  )
  AND ${isSettledHere(sql`waiting.organisation_id`)}
  AND EXISTS (
    SELECT 1 FROM records WHERE collection = 'events' AND records.id = waiting.event_id
      AND records.organisation_id = waiting.organisation_id AND document ->> '$.start' > ${now}
  )
)`
