import { type SQL, sql } from 'drizzle-orm/sql'
import { ApiError } from '../../model/api-error.ts'
import type { Kind } from '../../model/properties/schema.ts'
import { lowerAscii, nameVariants } from '../../model/spelling.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { indexedText, recordCount } from '../bitmap/bits.ts'
import { maxRowsRead } from '../bitmap/matches.ts'
import { integer, text } from '../columns.ts'
import { ofCollection } from '../fragments.ts'
import type { Scope } from '../statement.ts'
import type { Store } from '../store.ts'

/** A value of a unique field. */
export type UniqueValue = { field: string; value: string }

/** The records that have one of these values. Requires `write`. */
export async function findUniqueValueOwners(
  store: Store,
  collection: string,
  values: readonly UniqueValue[],
): Promise<(UniqueValue & { id: string })[]> {
  const scope = { organisationId: store.organisationId, collection }
  const { rows } = await store.select({
    rows: {
      columns: { id: text(sql`id`), field: text(sql`field`), value: text(sql`value`) },
      from: sql`FROM (${uniqueValueOwners(scope, values)})`,
    },
    permissions: ['write'],
    collection,
  })
  return rows
}

/**
 * Values that may equal one of the texts apart from case, spaces and accents; the caller
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
  const inCollection = ofCollection(store, collection, 'terms')
  const values = sql`SELECT terms.field, terms.value
    FROM json_each(${JSON.stringify(fields)}) AS item CROSS JOIN terms
    WHERE ${inCollection} AND terms.field = item.value AND typeof(terms.value) = 'text'
    LIMIT ${sql.raw(String(maxRead + 1))}`
  // A small collection needs no count.
  const size = sql`(${recordCount({ organisationId, collection })} * ${sql.raw(String(fields.length))})`
  const { head, rows } = await store.select({
    head: { read: integer(sql`iif(${size} > ${maxRead}, (SELECT count(*) FROM (${values})), 0)`) },
    rows: {
      columns: { field: text(sql`field`), value: text(sql`value`) },
      from: fromSimilarValues(values, texts),
    },
    permissions: ['write'],
    collection,
  })
  if (head.read > maxRead)
    throw new ApiError(
      'BAD_REQUEST',
      `There are more than ${formatNumber(maxRead)} values to compare with. Refer to the records by their ids.`,
    )
  return rows
}

const maxNameCharacters = 60

/**
 * Names that may equal one of the texts apart from case, spaces and accents; the caller compares them exactly. Looks up
 * a text of several words by its last word. Undefined if the index has no words of the field. Requires `write`.
 */
export async function findSimilarNames(
  store: Store,
  kind: Kind,
  field: string,
  texts: readonly string[],
): Promise<UniqueValue[] | undefined> {
  if (!/name/i.test(field)) return undefined
  const names = texts.map((text) => text.trim().split(/[\s-]+/))
  const singles = listSpellings(names.flatMap(([word = '', ...others]) => (others[0] ? [] : word)))
  const lastWords = listSpellings(names.flatMap((words) => words.slice(1).at(-1) ?? []))
  const { rows } = await store.select({
    rows: {
      columns: { field: text(sql`terms.field`), value: text(sql`terms.value`) },
      from: sql`FROM (
          SELECT terms.id FROM json_each(${JSON.stringify(singles)}) AS item CROSS JOIN terms
          WHERE ${ofCollection(store, kind, 'terms')}
            AND terms.field = ${field} AND terms.value = ${indexedText(sql`item.value`)}
          UNION
          SELECT term_id FROM json_each(${JSON.stringify(lastWords.map(lowerAscii))}) AS item CROSS JOIN name_words
          WHERE ${ofCollection(store, kind, 'name_words')} AND word = item.value
        ) AS named CROSS JOIN terms ON terms.id = named.id
        WHERE terms.field = ${field}`,
    },
    permissions: ['write'],
    collection: kind,
  })
  return rows
}

const listSpellings = (words: readonly string[]): string[] => [
  ...new Set(
    words
      .map((word) => word.slice(0, maxNameCharacters))
      .flatMap((word) => [word.replaceAll('’', "'"), word.replaceAll("'", '’')])
      .flatMap(nameVariants),
  ),
]

/**
 * SQL for values that equal a text after ASCII lower-casing, and for all values with other
 * letters or inner spaces, which SQLite cannot fold.
 */
const fromSimilarValues = (values: SQL, texts: readonly string[]): SQL => sql`
  FROM (${values})
  WHERE trim(lower(value)) IN (SELECT value FROM json_each(${JSON.stringify(texts)}))
    OR value GLOB '*[^ -~]*' OR value GLOB '*  *'`

/** SQL for the records that have one of these values, as `id`, `field` and `value`. */
export const uniqueValueOwners = (scope: Scope, values: readonly UniqueValue[]): SQL => sql`
  SELECT records.id, terms.field, item.value ->> '$.value' AS value
  FROM json_each(${JSON.stringify(values)}) AS item CROSS JOIN terms
  CROSS JOIN term_ordinals ON term_ordinals.term_id = terms.id
  CROSS JOIN records USING (organisation_id, collection, ordinal)
  WHERE ${ofCollection(scope, scope.collection, 'terms')}
    AND terms.field = item.value ->> '$.field'
    AND terms.value = ${indexedText(sql`item.value ->> '$.value'`)}
    AND item.value ->> '$.value' IN (
      SELECT atom FROM leaves WHERE row = records.row AND field = terms.field
    )`
