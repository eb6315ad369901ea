import { sql } from 'drizzle-orm'
import { statement } from './statement.ts'

/** A record to be kept: its id, and its document as JSON text. */
export type Written = { id: string; document: string }

/** Keeps records of one collection, all or none: new ones at the end, in the order given, known ones in their place. */
export async function putRecords(
  d1: D1Database,
  organisationId: string,
  collection: string,
  written: readonly Written[],
): Promise<void> {
  const items = JSON.stringify(written)
  const now = new Date().toISOString()
  await d1.batch([
    statement(
      d1,
      sql`
      UPDATE records SET document = item.value ->> '$.document', updated = ${now}
      FROM json_each(${items}) AS item
      WHERE collection = ${collection} AND records.id = item.value ->> '$.id'
        AND organisation_id = ${organisationId} AND document <> item.value ->> '$.document'`,
    ),
    statement(
      d1,
      sql`
      INSERT INTO records (organisation_id, collection, id, position, document, updated)
      SELECT
        ${organisationId}, ${collection}, item.value ->> '$.id',
        row_number() OVER (ORDER BY item.key) + (
          SELECT coalesce(max(position), 0) FROM records
          WHERE organisation_id = ${organisationId} AND collection = ${collection}
        ),
        item.value ->> '$.document', ${now}
      FROM json_each(${items}) AS item
      WHERE NOT EXISTS (
        SELECT 1 FROM records
        WHERE collection = ${collection} AND id = item.value ->> '$.id'
          AND organisation_id = ${organisationId}
      )`,
    ),
  ])
}
