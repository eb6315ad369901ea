import { sql } from 'drizzle-orm/sql'
import { flag, text } from '../columns.ts'
import { isSettledHere } from '../databases.ts'
import { ofOrganisation } from '../fragments.ts'
import { statement } from '../statement.ts'
import type { Store } from '../store.ts'
import { isQueued } from './mailings.ts'

const maxOrganisations = 10
const waitMs = 10 * 60_000

/** Takes the organisations that remind people and were looked at longest ago, each at most every ten minutes. */
export async function takeOrganisationsWithReminders(
  DB: D1Database,
  now: number,
): Promise<string[]> {
  const before = new Date(now - waitMs).toISOString()
  const { results } = await statement(
    DB,
    sql`UPDATE public_pages SET reminders_checked = ${new Date(now).toISOString()}
      WHERE organisation_id IN (
        SELECT organisation_id FROM public_pages INDEXED BY public_pages_with_reminders
        WHERE reminders_checked <= ${before} AND ${isSettledHere(sql`public_pages.organisation_id`)}
        ORDER BY reminders_checked LIMIT ${maxOrganisations}
      )
      RETURNING organisation_id AS organisationId`,
  ).all<{ organisationId: string }>()
  return results.map(({ organisationId }) => organisationId)
}

const maxBookings = 1000

/** A booking with the contact of its sign-up; both are JSON. */
export type BookingToRemind = { id: string; document: string; contact: string }

/** Reads the sign-ups for an event in order of arrival; undefined if its reminder was queued. The bookings of other systems get none. */
export async function readBookingsToRemind(
  store: Store,
  eventId: string,
  mailingId: string,
): Promise<BookingToRemind[] | undefined> {
  const { head, rows } = await store.select({
    head: { isQueued: flag(isQueued(store, mailingId)) },
    rows: {
      columns: {
        id: text(sql`records.id`),
        document: text(sql`records.document`),
        contact: text(sql`sign_ups.contact`),
      },
      from: sql`FROM sign_ups INDEXED BY sign_ups_by_person
        CROSS JOIN records ON records.organisation_id = sign_ups.organisation_id
          AND records.collection = 'bookings' AND records.id = sign_ups.booking_id
        WHERE ${ofOrganisation(store, 'sign_ups')} AND sign_ups.event_id = ${eventId}
          AND NOT ${isQueued(store, mailingId)}
        ORDER BY records.ordinal LIMIT ${sql.raw(String(maxBookings))}`,
    },
  })
  return head.isQueued ? undefined : rows
}
