import { type SQL, sql } from 'drizzle-orm/sql'
import { ofCollection, ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'
import { replaceDocuments } from '../version.ts'
import { registerEvent } from './event-bookings.ts'
import { insertLinks, type NewBookingLink } from './write-sign-up.ts'

type BookingsChange = {
  bookingIds: readonly string[]
  /** The values of `userStatus` that may change. */
  from: readonly string[]
  /** The properties to set. */
  set: Readonly<Record<string, string | boolean>>
  /** The time when the places fall free, if they are not confirmed before. */
  heldUntil?: string
  /** A further condition. */
  condition?: SQL | undefined
  links?: readonly NewBookingLink[]
  /** Further statements for the same transaction. */
  others?: readonly SQL[]
}

/** SQL that tests whether bookings are for an event and have no mark. */
export const areUnmarked = (store: Store, eventId: string, bookingIds: readonly string[]): SQL =>
  sql`(
    SELECT count(*) FROM records WHERE ${ofCollection(store, 'bookings')}
      AND records.id IN (SELECT value FROM json_each(${JSON.stringify(bookingIds)}))
      AND ${registerEvent('records')} = ${eventId} AND ifnull(document ->> '$.orgStatus', '') = ''
  ) = ${bookingIds.length}`

/**
 * Changes bookings from the public pages in one transaction, if all of them are in one of the
 * states `from`. Returns whether they were.
 */
export async function changeBookings(store: Store, change: BookingsChange): Promise<boolean> {
  const { organisationId, credential } = store
  const { bookingIds, from, set, heldUntil = null, links = [], others = [] } = change
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(bookingIds)}))`
  const isBooking = sql`collection = 'bookings' AND records.id IN ${ids}
    AND ${ofOrganisation({ organisationId })}`
  const inState = sql`(
    SELECT count(*) FROM records WHERE ${isBooking} AND document ->> '$.userStatus' IN (
      SELECT value FROM json_each(${JSON.stringify(from)})
    )
  )`
  const now = new Date().toISOString()
  const values = Object.entries({ ...set, updated: now }).map(
    ([name, value]) => sql`${`$.${name}`}, json(${JSON.stringify(value)})`,
  )
  const { refused } = await store.write(
    {
      permissions: ['write'],
      unless: {
        otherState: sql`${inState} <> ${bookingIds.length}`,
        impossible: sql`NOT ${change.condition ?? sql`true`}`,
      },
    },
    [
      sql`UPDATE sign_ups SET held_until = ${heldUntil}, sequence = sequence + 1
        WHERE ${ofOrganisation({ organisationId })} AND booking_id IN ${ids}`,
      ...(links.length > 0 ? [insertLinks(organisationId, links)] : []),
      replaceDocuments(
        credential.author,
        isBooking,
        sql`json_set(records.document, ${sql.join(values, sql`, `)})`,
        { isWrite: true },
      ),
      ...others,
    ],
  )
  return refused === undefined
}
