import { type SQL, sql } from 'drizzle-orm/sql'
import { bitmapColumns, bitsSet, indexedText, termId } from '../bitmap/bits.ts'

/**
 * Returns SQL for the number of an event's bookings that are marked `attended`, from the index alone.
 * A booking names its event as `eventId` or, for an occurrence, as `childEventId`.
 */
export const attendedCount = (organisationId: string, eventId: string): SQL => {
  const term = termId.bind(undefined, { organisationId, collection: 'bookings' })
  const event = indexedText(sql`${eventId}`)
  const ofEvent = bitmapColumns.map(
    (column) =>
      `(coalesce(direct.${column}, 0) | coalesce(child.${column}, 0)) & came.${column} AS ${column}`,
  )
  return sql`(
    SELECT coalesce(sum(${sql.raw(bitsSet)}), 0) FROM (
      SELECT ${sql.raw(ofEvent.join(', '))}
      FROM (
        SELECT DISTINCT block FROM bitmaps
        WHERE term_id IN (${term('eventId', event)}, ${term('childEventId', event)})
      ) AS booked
      CROSS JOIN bitmaps AS came
        ON came.term_id = ${term('orgStatus', sql`'attended'`)} AND came.block = booked.block
      LEFT JOIN bitmaps AS direct
        ON direct.term_id = ${term('eventId', event)} AND direct.block = booked.block
      LEFT JOIN bitmaps AS child
        ON child.term_id = ${term('childEventId', event)} AND child.block = booked.block
    )
  )`
}
