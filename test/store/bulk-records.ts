import { env } from 'cloudflare:workers'
import { bitmapColumns } from '../../src/store/bitmap/bits.ts'

/**
 * Creates many records of an empty collection in a second or two, with the index that triggers would make.
 * `document` is SQL for the document of the record with this `id` and `number`, from 1.
 */
export async function insertInBulk(
  organisationId: string,
  collection: string,
  count: number,
  document: string,
): Promise<void> {
  const trigger = await env.DB.prepare(
    "SELECT sql FROM sqlite_master WHERE name = 'records_inserted'",
  ).first<string>('sql')
  const bits = bitmapColumns.map((_, part) => `sum(iif(part = ${part}, bit, 0))`)
  const own = 'organisation_id = ?1 AND collection = ?2'
  const entries = `(SELECT field, value, block, part, bit FROM index_entries WHERE ${own})`
  const queries = [
    `WITH RECURSIVE numbers (number) AS (VALUES (1) UNION ALL SELECT number + 1 FROM numbers WHERE number < ${count})
      INSERT INTO records (
        organisation_id, collection, id, ordinal, document, updated, version, first_version, created, changed
      )
      SELECT ?1, ?2, id, number, ${document}, created,
        version + number, version + number, created, created
      FROM (SELECT number, ?2 || '-' || number AS id FROM numbers)
        CROSS JOIN (SELECT version, created FROM organisations WHERE id = ?1)`,
    `UPDATE organisations SET version = version + ${count}, records = records + ${count} WHERE id = ?1 AND ?2 <> ''`,
    `INSERT INTO terms (organisation_id, collection, field, value, count, last)
      SELECT ?1, ?2, field, value, count(*), iif(field = '', ${count}, 0) FROM ${entries} GROUP BY field, value`,
    `INSERT INTO bitmaps SELECT id, block, sum(1), ${bits.join(', ')}
      FROM ${entries} CROSS JOIN terms USING (field, value) WHERE ${own} GROUP BY id, block`,
  ]
  await env.DB.batch([
    env.DB.prepare('DROP TRIGGER records_inserted'),
    ...queries.map((query) => env.DB.prepare(query).bind(organisationId, collection)),
    env.DB.prepare(String(trigger)),
  ])
}
