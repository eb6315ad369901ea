import { type SQL, sql } from 'drizzle-orm'
import { indexedText } from '../bitmap/bits.ts'
import type { Scope } from '../statement.ts'

/** A value of a unique field. */
export type UniqueValue = { field: string; value: string }

/**
 * Returns SQL for the records of a collection that have such a value: `id`, `field` and `value`.
 */
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
