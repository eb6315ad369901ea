import { type SQL, sql } from 'drizzle-orm/sql'
import type { Permission } from '../../access/permissions.ts'
import type { Kind } from '../../model/properties/schema.ts'
import { plainLetters } from '../../model/spelling.ts'
import { bitmapColumns, hasAnyBit, ordinals, rowsUpTo } from '../bitmap/bits.ts'
import type { Body, Scope } from '../statement.ts'
import type { Store } from '../store.ts'

/** A search for people by prefixes of field values and of words in names. */
export type PersonSearch = {
  /** The fields with names. */
  names: readonly string[]
  /** Field values to match by prefix. */
  values: readonly PrefixMatch[]
  /**
   * The prefixes of each typed word: as the value of a name field, as a later word of a name, and
   * without accents.
   */
  words: readonly { values: readonly PrefixMatch[]; further: readonly string[]; plain: string }[]
}

export type PrefixMatch = { field: string; from: string }

// These limits keep every search below 2,000 rows, regardless of the number of people.
const [maxTerms, maxSecond, maxFurther, maxBlocks] = [60, 5, 200, 100]

/** Returns up to `limit` people of a kind who match the prefixes. */
export async function searchPeople(
  store: Store,
  kind: Kind,
  search: PersonSearch,
  limit: number,
  permissions: readonly Permission[] = ['read'],
) {
  const scope = { organisationId: store.organisationId, collection: kind }
  // A person appears once for each match.
  const rows = await store.rows(buildSearch(scope, search, 2 * limit), permissions)
  const people = new Map(rows.map(({ id, document }) => [String(id), String(document)]))
  return [...people].slice(0, limit).map(([id, document]) => ({ id, document }))
}

function buildSearch(scope: Scope, { names, values, words }: PersonSearch, limit: number): Body {
  const [first, second] = words
  const matches = [
    selectBlocks(selectTerms(scope, values)),
    ...words.slice(0, 2).map((word) => selectBlocks(selectFurtherTerms(scope, names, word, words))),
    ...(first && second ? [selectBlocksOfBoth(scope, first, second)] : []),
  ]
  const blocks = sql.join(
    matches.map((match) => sql`SELECT * FROM (${match})`),
    sql` UNION ALL `,
  )
  return {
    columns: ['id', 'document'],
    with: sql`WITH page AS MATERIALIZED (
      SELECT '[' || group_concat(${sql.raw(ordinals)}) || ']' AS list FROM (${blocks})
    )`,
    rows: sql`SELECT records.id, records.document
      FROM ${sql.raw(rowsUpTo(limit))} AS slot CROSS JOIN records
      ON organisation_id = ${scope.organisationId} AND collection = ${scope.collection}
      AND ordinal = (SELECT list FROM page) ->> slot.column1`,
  }
}

/** Returns SQL for the terms that start with one of the prefixes. */
const selectTerms = (
  { organisationId, collection }: Scope,
  prefixes: readonly PrefixMatch[],
  limit = maxTerms,
) => sql`
  SELECT terms.id
  FROM json_each(${JSON.stringify(prefixes)}) AS item CROSS JOIN terms
  WHERE terms.organisation_id = ${organisationId} AND terms.collection = ${collection}
    AND terms.field = item.value ->> '$.field'
    AND terms.value >= item.value ->> '$.from'
    AND terms.value < (item.value ->> '$.from') || char(1114111)
  LIMIT ${sql.raw(String(limit))}`

/** SQL for a name's words in lower case and without accents, each after a space. */
const plainWords = [...plainLetters].reduce(
  (text, [letter, plain]) => `replace(${text}, '${letter}', '${plain}')`,
  "' ' || replace(lower(terms.value), '-', ' ')",
)

/**
 * Returns SQL for the names that have a later word with the prefix, and words that start with each
 * of the other typed words.
 */
function selectFurtherTerms(
  { organisationId, collection }: Scope,
  names: readonly string[],
  word: PersonSearch['words'][number],
  words: PersonSearch['words'],
): SQL {
  const others = words
    .filter((other) => other !== word)
    .map(({ plain }) => sql`instr(${sql.raw(plainWords)}, ${` ${plain}`}) > 0`)
  return sql`
    SELECT named.term_id AS id
    FROM (
      SELECT name_words.term_id
      FROM json_each(${JSON.stringify(word.further)}) AS item CROSS JOIN name_words
      WHERE name_words.organisation_id = ${organisationId} AND name_words.collection = ${collection}
        AND word >= item.value AND word < item.value || char(1114111)
      LIMIT ${sql.raw(String(maxFurther))}
    ) AS named CROSS JOIN terms ON terms.id = named.term_id
    WHERE terms.field IN (SELECT value FROM json_each(${JSON.stringify(names)}))
      AND ${sql.join([sql`true`, ...others], sql` AND `)}
    LIMIT ${sql.raw(String(maxTerms))}`
}

/** Returns SQL for the blocks of terms. */
const selectBlocks = (terms: SQL) => sql`
  SELECT bitmaps.block, ${sql.raw(bitmapColumns.map((column) => `bitmaps.${column}`).join(', '))}
  FROM (${terms}) AS matching CROSS JOIN bitmaps ON bitmaps.term_id = matching.id
  LIMIT ${sql.raw(String(maxBlocks))}`

/**
 * Returns SQL for the blocks of people with one value that starts with the first word and another
 * that starts with the second, such as a first and last name in separate fields.
 */
const selectBlocksOfBoth = (
  scope: Scope,
  first: PersonSearch['words'][number],
  second: PersonSearch['words'][number],
) => sql`
  SELECT * FROM (
    SELECT a.block, ${sql.raw(bitmapColumns.map((column) => `a.${column} & b.${column} AS ${column}`).join(', '))}
    FROM (
      SELECT bitmaps.* FROM (${selectTerms(scope, second.values)}) AS matching
      CROSS JOIN bitmaps ON bitmaps.term_id = matching.id LIMIT ${sql.raw(String(maxBlocks))}
    ) AS a
    CROSS JOIN (${selectTerms(scope, first.values, maxSecond)}) AS matching
    CROSS JOIN bitmaps AS b ON b.term_id = matching.id AND b.block = a.block
  ) WHERE ${sql.raw(hasAnyBit)}`
