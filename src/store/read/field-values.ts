import { sql } from 'drizzle-orm/sql'
import { collectionTerm } from '../bitmap/bits.ts'
import { ofOrganisation } from '../fragments.ts'
import { type Scope, statement } from '../statement.ts'

/** A value of a field, and the ids of the records that have it. */
export type FieldValue = { field: string; value: unknown; ids: string[] }

const chunkRecords = 1000

/** A collection's highest ordinal and the version of the organisation's last change. */
export async function readLastOrdinal(
  d1: D1Database,
  scope: Scope,
): Promise<{ last: number; version: number }> {
  const collection = await statement(
    d1,
    sql`SELECT version, coalesce((SELECT last FROM terms WHERE ${collectionTerm(scope)}), 0) AS last
      FROM organisations WHERE id = ${scope.organisationId}`,
  ).first<{ last: number; version: number }>()
  return collection ?? { last: 0, version: 0 }
}

/**
 * Yields the values of fields in chunks of a thousand records, up to an ordinal. Each chunk has
 * each value once.
 */
export async function* readFieldValues(
  d1: D1Database,
  { organisationId, collection }: Scope,
  fields: readonly string[],
  last: number,
): AsyncGenerator<FieldValue[]> {
  const paths = JSON.stringify(fields.map((field) => `$.${JSON.stringify(field)}`))
  for (let after = 0; after < last; after += chunkRecords) {
    const { results } = await statement(
      d1,
      sql`SELECT field.key AS field, document -> field.value AS value, json_group_array(records.id) AS ids
        FROM records CROSS JOIN json_each(${paths}) AS field
        WHERE ${ofOrganisation({ organisationId })} AND collection = ${collection}
          AND ordinal > ${after} AND ordinal <= ${after + chunkRecords}
          AND document -> field.value IS NOT NULL
        GROUP BY 1, 2`,
    ).all<{ field: number; value: string; ids: string }>()
    yield results.map(({ field, value, ids }) => ({
      field: fields[field] ?? '',
      value: JSON.parse(value),
      ids: JSON.parse(ids),
    }))
  }
}
