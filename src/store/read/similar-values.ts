import { type SQL, sql } from 'drizzle-orm'
import type { Scope } from '../statement.ts'

/**
 * Returns SQL for the values of some fields, `field` and `value`, that may equal one of these texts
 * except for case, spaces and accents: those that are equal with A to Z in small letters, and all
 * with other letters or inner spaces, which SQLite does not fold. It reads every value of the
 * fields.
 */
export const similarValues = (
  { organisationId, collection }: Scope,
  fields: readonly string[],
  texts: readonly string[],
): SQL => sql`
  SELECT terms.field, terms.value
  FROM json_each(${JSON.stringify(fields)}) AS item CROSS JOIN terms
  WHERE terms.organisation_id = ${organisationId} AND terms.collection = ${collection}
    AND terms.field = item.value AND typeof(terms.value) = 'text' AND (
      trim(lower(terms.value)) IN (SELECT value FROM json_each(${JSON.stringify(texts)}))
      OR terms.value GLOB '*[^ -~]*' OR terms.value GLOB '*  *'
    )`
