import { sql } from 'drizzle-orm'
import { collectionTerm } from '../bitmap/bits.ts'
import type { Scope } from '../sql/scope.ts'
import { statement } from '../sql/statement.ts'

/** A value that records have in a field, and the ids of those records. */
export type FieldValue = { field: string; value: unknown; ids: string[] }

const chunkRecords = 1000

/** The ordinal of the last record of a collection, which has no more records than that, and the version of the organisation's last change. */
export async function lastOrdinal(
  d1: D1Database,
  scope: Scope,
): Promise<{ last: number; version: number }> {
  const found = await statement(
    d1,
    sql`SELECT version, coalesce((SELECT last FROM terms WHERE ${collectionTerm(scope)}), 0) AS last
      FROM organisations WHERE id = ${scope.organisationId}`,
  ).first<{ last: number; version: number }>()
  return found ?? { last: 0, version: 0 }
}

/** The values that the records of a collection, up to an ordinal, have in some fields: a thousand records at a time, and of these each value once. */
export async function* fieldValues(
  d1: D1Database,
  { organisationId, collection }: Scope,
  fields: readonly string[],
  last: number,
): AsyncGenerator<FieldValue[]> {
  const paths = JSON.stringify(fields.map((field) => `$.${JSON.stringify(field)}`))
  for (let after = 0; after < last; after += chunkRecords) {
    const { results } = await statement(
      d1,
      sql`SELECT field.key AS place, document -> field.value AS value, json_group_array(records.id) AS ids
        FROM records CROSS JOIN json_each(${paths}) AS field
        WHERE organisation_id = ${organisationId} AND collection = ${collection}
          AND position > ${after} AND position <= ${after + chunkRecords}
          AND document -> field.value IS NOT NULL
        GROUP BY 1, 2`,
    ).all<{ place: number; value: string; ids: string }>()
    yield results.map(({ place, value, ids }) => ({
      field: fields[place] ?? '',
      value: JSON.parse(value),
      ids: JSON.parse(ids),
    }))
  }
}
