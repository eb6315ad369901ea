import { type SQL, sql } from 'drizzle-orm/sql'
import { bitCountOfBlock, bitmapColumns, indexedText, termId } from '../bitmap/bits.ts'
import { maxRowsRead } from '../bitmap/matches.ts'
import { integer, text } from '../columns.ts'
import { ofCollection } from '../fragments.ts'
import type { Store } from '../store.ts'

const scopeOf = (organisationId: string) => ({ organisationId, collection: 'bookings' })

/** SQL that tests whether a term of the index is of the bookings of an event. `eventId` is SQL. */
export const isEventTerm = (organisationId: string, eventId: SQL) =>
  sql`${ofCollection({ organisationId }, 'bookings', 'terms')}
    AND terms.field IN ('eventId', 'childEventId') AND terms.value = ${indexedText(eventId)}`

/** SQL for the event whose register has a booking of a table: the occurrence, if the booking is for one. */
export const registerEvent = (table: 'booking' | 'records'): SQL =>
  sql.raw(
    `coalesce(nullif(${table}.document ->> '$.childEventId', ''), ${table}.document ->> '$.eventId')`,
  )

/**
 * SQL for the blocks of an event's bookings, from the index: block, bits0 … bits7. A booking
 * names its event as `eventId`; one for an occurrence also as `childEventId`. `eventId` is SQL.
 */
export function selectBookedBlocks(organisationId: string, eventId: SQL): SQL {
  // The bits of at most two rows: SQLite has no aggregate for OR.
  const columns = bitmapColumns.map((column) => `max(${column}) | min(${column}) AS ${column}`)
  return sql`
    SELECT block, ${sql.raw(columns.join(', '))} FROM bitmaps
    WHERE term_id IN (SELECT id FROM terms WHERE ${isEventTerm(organisationId, eventId)})
    GROUP BY block`
}

/** SQL for the number of an event's bookings with a value. `eventId` and `value` are SQL. */
function bookingCount(organisationId: string, eventId: SQL, field: string, value: SQL): SQL {
  const both = bitmapColumns.map((column) => `booked.${column} & state.${column} AS ${column}`)
  return sql`(
    SELECT coalesce(sum(${sql.raw(bitCountOfBlock)}), 0) FROM (
      SELECT ${sql.raw(both.join(', '))}
      FROM (${selectBookedBlocks(organisationId, eventId)}) AS booked
      CROSS JOIN bitmaps AS state
        ON state.term_id = ${termId(scopeOf(organisationId), field, value)}
        AND state.block = booked.block
    )
  )`
}

/** SQL for the number of an event's bookings that are marked `attended`. */
export const attendedCount = (organisationId: string, eventId: string): SQL =>
  bookingCount(organisationId, sql`${eventId}`, 'orgStatus', sql`'attended'`)

/** SQL that tests whether a booking of an event has a mark. `eventId` is SQL. */
export const hasMarks = (organisationId: string, eventId: SQL): SQL =>
  sql`(${bookingCount(organisationId, eventId, 'orgStatus', sql`'attended'`)} > 0
    OR ${bookingCount(organisationId, eventId, 'orgStatus', sql`'absent'`)} > 0)`

/** The maximum number of bookings of some events that one statement counts. */
export const maxCounted = maxRowsRead / 4

/** SQL for the number of bookings that name one of some events, with an event and its occurrence counted twice. `eventIds` is a JSON list. */
export const bookedCount = (organisationId: string, eventIds: string): SQL => sql`(
  SELECT coalesce(sum(terms.count), 0) FROM json_each(${eventIds}) AS event
  CROSS JOIN terms ON ${isEventTerm(organisationId, sql`event.value`)}
)`

/**
 * Counts the attending bookings of events. Returns undefined if the events have more than 50,000 bookings.
 */
export async function countAttending(
  store: Store,
  eventIds: readonly string[],
): Promise<Map<string, number> | undefined> {
  const { organisationId } = store
  const events = sql`json_each(${JSON.stringify(eventIds)}) AS event`
  const booked = bookedCount(organisationId, JSON.stringify(eventIds))
  const attending = bookingCount(organisationId, sql`event.value`, 'attending', sql`x'01'`)
  const { head, rows } = await store.select({
    head: { booked: integer(booked) },
    rows: {
      columns: { id: text(sql`event.value`), attending: integer(attending) },
      from: sql`FROM ${events} WHERE ${booked} <= ${maxCounted}`,
    },
  })
  if (head.booked > maxCounted) return undefined
  return new Map(rows.map(({ id, attending }) => [id, attending]))
}
