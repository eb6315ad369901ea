import { sql } from 'drizzle-orm'
import { indexedText } from './indexed.ts'
import { statement } from './statement.ts'

/** A record to be kept: its id, and its document as JSON text. */
export type Written = { id: string; document: string }

/** Keeps records of one collection, with ids all different; all or none. New ones go to the end, in the order given, known ones keep their place. */
export async function putRecords(
  d1: D1Database,
  organisationId: string,
  collection: string,
  written: readonly Written[],
): Promise<void> {
  await statement(
    d1,
    sql`
      INSERT INTO records (organisation_id, collection, id, position, document, updated)
      SELECT
        ${organisationId}, ${collection}, id,
        sum(new) OVER (ORDER BY place) + (
          SELECT coalesce(max(position), 0) FROM records
          WHERE organisation_id = ${organisationId} AND collection = ${collection}
        ),
        document, ${new Date().toISOString()}
      FROM (
        SELECT
          item.key AS place,
          item.value ->> '$.id' AS id,
          item.value ->> '$.document' AS document,
          NOT EXISTS (
            SELECT 1 FROM records
            WHERE collection = ${collection} AND id = item.value ->> '$.id'
              AND organisation_id = ${organisationId}
          ) AS new
        FROM json_each(${JSON.stringify(written)}) AS item
      )
      WHERE true
      ON CONFLICT (collection, id, organisation_id)
      DO UPDATE SET document = excluded.document, updated = excluded.updated
      WHERE document <> excluded.document`,
  ).run()
}

/** Which records of a collection hold which of `values` in a field. */
export async function ownersOf(
  d1: D1Database,
  scope: { organisationId: string; collection: string },
  field: string,
  values: readonly string[],
): Promise<{ id: string; value: string }[]> {
  const { results } = await statement(
    d1,
    sql`
      SELECT records.id, item.value
      FROM json_each(${JSON.stringify(values)}) AS item CROSS JOIN terms
      CROSS JOIN postings ON postings.term = terms.id CROSS JOIN records USING (row)
      WHERE terms.organisation_id = ${scope.organisationId}
        AND terms.collection = ${scope.collection}
        AND terms.field = ${field} AND terms.value = ${indexedText(sql`item.value`)}
        AND item.value IN (SELECT atom FROM leaves WHERE row = records.row AND field = ${field})`,
  ).all<{ id: string; value: string }>()
  return results
}
