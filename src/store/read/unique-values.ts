import { type SQL, sql } from 'drizzle-orm/sql'
import { ApiError } from '../../model/api-error.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { indexedText, recordCount } from '../bitmap/bits.ts'
import { maxRowsRead } from '../bitmap/matches.ts'
import type { Scope } from '../statement.ts'
import type { Store } from '../store.ts'

/** A value of a unique field. */
export type UniqueValue = { field: string; value: string }

/** Returns the records that have one of these values. Requires `write`. */
export async function findUniqueValueOwners(
  store: Store,
  collection: string,
  values: readonly UniqueValue[],
): Promise<(UniqueValue & { id: string })[]> {
  const scope = { organisationId: store.organisationId, collection }
  const body = { columns: ['id', 'field', 'value'], rows: uniqueValueOwners(scope, values) }
  const { rows } = await store.read({}, body, { permissions: ['write'], collection })
  return rows.map(({ id, field, value }) => ({
    id: String(id),
    field: String(field),
    value: String(value),
  }))
}

/**
 * Returns values that may equal one of the texts apart from case, spaces and accents; the caller
 * compares them exactly. Requires `write`; throws 400 if the fields have more values than
 * `maxRead`.
 */
export async function findSimilarValues(
  store: Store,
  collection: string,
  fields: readonly string[],
  texts: readonly string[],
  maxRead = maxRowsRead,
): Promise<UniqueValue[]> {
  const { organisationId } = store
  const values = sql`SELECT terms.field, terms.value
    FROM json_each(${JSON.stringify(fields)}) AS item CROSS JOIN terms
    WHERE terms.organisation_id = ${organisationId} AND terms.collection = ${collection}
      AND terms.field = item.value AND typeof(terms.value) = 'text'
    LIMIT ${sql.raw(String(maxRead + 1))}`
  // A small collection needs no count.
  const size = sql`(${recordCount({ organisationId, collection })} * ${sql.raw(String(fields.length))})`
  const { head, rows } = await store.read(
    { read: sql`iif(${size} > ${maxRead}, (SELECT count(*) FROM (${values})), 0)` },
    { columns: ['field', 'value'], rows: similarValues(values, texts) },
    { permissions: ['write'], collection },
  )
  if (Number(head.read) > maxRead)
    throw new ApiError(
      'BAD_REQUEST',
      `There are more than ${formatNumber(maxRead)} values to compare with. Refer to the records by their ids.`,
    )
  return rows.map(({ field, value }) => ({ field: String(field), value: String(value) }))
}

/**
 * Returns SQL for values that equal a text after ASCII lower-casing, and for all values with other
 * letters or inner spaces, which SQLite cannot fold.
 */
const similarValues = (values: SQL, texts: readonly string[]): SQL => sql`
  SELECT field, value FROM (${values})
  WHERE trim(lower(value)) IN (SELECT value FROM json_each(${JSON.stringify(texts)}))
    OR value GLOB '*[^ -~]*' OR value GLOB '*  *'`

/** Returns SQL for the records that have one of these values, as `id`, `field` and `value`. */
export const uniqueValueOwners = (scope: Scope, values: readonly UniqueValue[]): SQL => sql`
  SELECT records.id, terms.field, item.value ->> '$.value' AS value
  FROM json_each(${JSON.stringify(values)}) AS item CROSS JOIN terms
  CROSS JOIN term_ordinals ON term_ordinals.term_id = terms.id
  CROSS JOIN records USING (organisation_id, collection, ordinal)
  WHERE terms.organisation_id = ${scope.organisationId} AND terms.collection = ${scope.collection}
    AND terms.field = item.value ->> '$.field'
    AND terms.value = ${indexedText(sql`item.value ->> '$.value'`)}
    AND item.value ->> '$.value' IN (
      SELECT atom FROM leaves WHERE row = records.row AND field = terms.field
    )`
