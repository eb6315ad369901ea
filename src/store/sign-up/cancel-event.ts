import { type SQL, sql } from 'drizzle-orm/sql'
import { ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'
import { replaceDocuments } from '../version.ts'

type EventCancellation = {
  /** The event, or a series with its dates. */
  eventIds: readonly string[]
  /** The bookings that end. */
  bookingIds: readonly string[]
  /** A further condition that prevents it. */
  unless: SQL
  /** Further statements for the same transaction. */
  others: readonly SQL[]
}

/**
 * Ends the bookings of events, which take no more, in one transaction. Returns false, and changes nothing, if something
 * prevents it.
 */
export async function commitEventCancellation(
  store: Store,
  { eventIds, bookingIds, unless, others }: EventCancellation,
): Promise<boolean> {
  const { author } = store.credential
  const among = (ids: readonly string[]) =>
    sql`IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
  const now = new Date().toISOString()
  const { refused } = await store.write(
    { permissions: ['write'], unless: { impossible: unless } },
    [
      replaceDocuments(
        author,
        sql`records.collection = 'events' AND records.id ${among(eventIds)} AND ${ofOrganisation(store, 'records')}`,
        sql`json_set(records.document, '$.bookable', json('false'),
        '$.bookingDetails.closed', json('true'), '$.updated', ${now})`,
        { isWrite: true },
      ),
      replaceDocuments(
        author,
        sql`records.collection = 'bookings' AND records.id ${among(bookingIds)} AND ${ofOrganisation(store, 'records')}`,
        sql`json_set(records.document, '$.userStatus', 'cancelled', '$.attending', json('false'),
        '$.updated', ${now})`,
        { isWrite: true },
      ),
      sql`UPDATE sign_ups SET held_until = NULL, sequence = sequence + 1
      WHERE ${ofOrganisation(store)} AND booking_id ${among(bookingIds)}`,
      ...others,
    ],
  )
  return refused === undefined
}
