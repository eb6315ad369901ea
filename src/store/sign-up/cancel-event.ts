import { type SQL, sql } from 'drizzle-orm/sql'
import { ofOrganisation, ofRecord } from '../fragments.ts'
import type { Store } from '../store.ts'
import { replaceDocuments } from '../version.ts'

type EventCancellation = {
  eventId: string
  /** The bookings that end. */
  bookingIds: readonly string[]
  /** A further condition that prevents it. */
  unless: SQL
  /** Further statements for the same transaction. */
  others: readonly SQL[]
}

/**
 * Ends the bookings of an event, which takes no more, in one transaction. Returns false, and changes nothing, if something
 * prevents it.
 */
export async function commitEventCancellation(
  store: Store,
  { eventId, bookingIds, unless, others }: EventCancellation,
): Promise<boolean> {
  const { author } = store.credential
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(bookingIds)}))`
  const now = new Date().toISOString()
  const { refused } = await store.write(
    { permissions: ['write'], unless: { impossible: unless } },
    [
      replaceDocuments(
        author,
        ofRecord(store, { collection: 'events', id: eventId }, 'records'),
        sql`json_set(records.document, '$.bookable', json('false'),
        '$.bookingDetails.closed', json('true'), '$.updated', ${now})`,
        { isWrite: true, isSingle: true },
      ),
      replaceDocuments(
        author,
        sql`records.collection = 'bookings' AND records.id IN ${ids} AND ${ofOrganisation(store, 'records')}`,
        sql`json_set(records.document, '$.userStatus', 'cancelled', '$.attending', json('false'),
        '$.updated', ${now})`,
        { isWrite: true },
      ),
      sql`UPDATE sign_ups SET held_until = NULL, sequence = sequence + 1
      WHERE ${ofOrganisation(store)} AND booking_id IN ${ids}`,
      ...others,
    ],
  )
  return refused === undefined
}
