import { type SQL, sql } from 'drizzle-orm/sql'
import { blockSize, collectionTerm, recordCount, rowsUpTo } from '../bitmap/bits.ts'
import { integer, json, text } from '../columns.ts'
import { ofCollection } from '../fragments.ts'
import { OrdinalSet } from '../query/ordinal-set.ts'
import { wordsOfBlock } from '../query/read-blocks.ts'
import type { QueryGuard } from '../query/record-query.ts'
import type { Scope } from '../statement.ts'
import type { Store } from '../store.ts'

/** A search for the people with all words in the values of some fields, or with a value that has one of the beginnings. */
export type PersonSearch = {
  fields: readonly string[]
  words: readonly SearchWord[]
  /** A value in one spelling without spaces, so that equal values are equal texts. */
  fold(value: string): string
  beginnings: readonly Beginning[]
  /** Whether to look up the beginnings of words even in a small collection. */
  looksUpBeginnings: boolean
}

/** A word, which may be anywhere in a value and across its spaces. */
export type SearchWord = {
  folded: string
  /** In a large collection, the beginnings of values, and of further words of names, to look up. */
  beginnings: readonly Beginning[]
  furtherWords: readonly string[]
}

/** The beginning of a value, as the index stores it. */
export type Beginning = { field: string; from: string }

/** The people of a search: those with a word that begins with the text first, each in order of arrival. */
export type FoundPeople = {
  total: number
  read(offset: number, limit: number): Promise<{ id: string; document: string }[]>
}

/** The number of people up to which a search compares all values of its fields, and the maximum numbers of values to compare and to look up. */
const limits = { people: 50_000, values: 100_000, lookedUp: 500 }

/** Finds people in two statements; the result reads their pages. */
export async function findPeople(
  store: Store,
  guard: QueryGuard,
  search: PersonSearch,
): Promise<FoundPeople> {
  const scope = { organisationId: store.organisationId, collection: guard.collection }
  const terms = search.words.length === 0 ? [] : await findTerms(store, guard, scope, search)
  const { head, rows } = await store.select({
    head: { last: integer(sql`(SELECT last FROM terms WHERE ${collectionTerm(scope)})`) },
    rows: {
      columns: {
        flags: integer(sql`flags`),
        words: text(sql`(SELECT group_concat(${sql.raw(wordsOfBlock)}, '') FROM bitmaps
          WHERE term_id = id)`),
      },
      from: sql`FROM (${selectFlaggedTerms(scope, terms, search)})`,
    },
    ...guard,
  })
  const blocks = Math.floor(head.last / blockSize) + 1
  const ordinals = evaluate(rows, search.words.length, blocks)
  return {
    total: ordinals.length,
    read: (offset, limit) => readPeople(store, guard, ordinals.slice(offset, offset + limit)),
  }
}

/** The flags of a term: whether it has a beginning, and for each word whether it contains the word and whether a word of it begins with the word. */
const isDirect = 1
const hasWord = (word: number) => 2 << (2 * word)
const hasBeginning = (word: number) => 4 << (2 * word)

type FlaggedTerm = readonly [id: number, flags: number]

/** Finds the terms with one of the words. */
async function findTerms(
  store: Store,
  guard: QueryGuard,
  scope: Scope,
  search: PersonSearch,
): Promise<FlaggedTerm[]> {
  const { rows } = await store.select({
    rows: {
      // One row, because each takes time.
      columns: {
        ids: json<number[]>(sql`json_group_array(id)`),
        fields: json<(number | string)[]>(sql`json_group_array(field)`),
        values: json<string[]>(sql`json_group_array(value)`),
      },
      from: sql`FROM (${selectValues(scope, search)} LIMIT ${sql.raw(String(limits.values))})`,
    },
    ...guard,
  })
  const [{ ids, fields, values } = { ids: [], fields: [], values: [] }] = rows
  const matching = values.flatMap((value, index) => {
    const flags = findFlags(search, value)
    return flags === 0 ? [] : [{ id: ids[index] ?? 0, field: fields[index] ?? 0, flags }]
  })
  return omitIncomplete(matching, search.words.length).map(({ id, flags }) => [id, flags])
}

/** A term with flags, and its field or the number of that. */
type MatchingTerm = { id: number; field: number | string; flags: number }

/** Omits the terms that lack a word which only this field has: nobody has two values of a field. */
function omitIncomplete(terms: readonly MatchingTerm[], words: number): MatchingTerm[] {
  const wordsOfFields = new Map<MatchingTerm['field'], number>()
  for (const { field, flags } of terms)
    wordsOfFields.set(field, (wordsOfFields.get(field) ?? 0) | flags)
  const allWords = Array.from({ length: words }, (_, word) => hasWord(word)).reduce(
    (sum, flag) => sum | flag,
    0,
  )
  const wordsOfOthers = new Map(
    [...wordsOfFields.keys()].map((field) => [
      field,
      [...wordsOfFields].reduce((sum, [other, flags]) => (other === field ? sum : sum | flags), 0),
    ]),
  )
  return terms.filter(
    ({ field, flags }) => ((flags | (wordsOfOthers.get(field) ?? 0)) & allWords) === allWords,
  )
}

function findFlags({ words, fold }: PersonSearch, value: string): number {
  const whole = fold(value)
  let flags = 0
  for (const [word, { folded }] of words.entries()) {
    if (!whole.includes(folded)) continue
    const begins = [value, ...value.split(/[\s-]/)].some((part) => fold(part).startsWith(folded))
    flags |= hasWord(word) | (begins ? hasBeginning(word) : 0)
  }
  return flags
}

/** The ordinals of the people with all words. Different values of a person may have them. */
function evaluate(
  rows: readonly { flags: number; words: string }[],
  words: number,
  blocks: number,
): number[] {
  const setOf = (flag: number) => {
    const set = new OrdinalSet(0, blocks)
    for (const row of rows) if (row.flags & flag) set.addWords(row.words)
    return set
  }
  const intersect = (flagOf: (word: number) => number) =>
    Array.from({ length: words }, (_, word) => setOf(flagOf(word))).reduce((one, other) =>
      one.intersect(other),
    )
  const direct = setOf(isDirect)
  if (words === 0) return [...direct.ordinals()]
  const first = intersect(hasBeginning).unite(direct)
  return [...first.ordinals(), ...intersect(hasWord).subtract(first).ordinals()]
}

/** SQL that tests whether a search compares all values, rather than look up beginnings. */
const comparesAll = (scope: Scope, { looksUpBeginnings }: PersonSearch) =>
  looksUpBeginnings ? sql`false` : sql`${recordCount(scope)} <= ${limits.people}`

/** SQL for the values to compare with the words. */
function selectValues(scope: Scope, search: PersonSearch): SQL {
  const { fields, words } = search
  const isAll = comparesAll(scope, search)
  const named = JSON.stringify(fields)
  const beginnings = words.flatMap((word) => word.beginnings)
  const furtherWords = words.flatMap((word) => word.furtherWords)
  return sql`
    SELECT terms.id, item.key AS field, terms.value
    FROM json_each(${named}) AS item CROSS JOIN terms
    WHERE ${isAll} AND ${ofCollection(scope, scope.collection, 'terms')} AND terms.field = item.value
      AND typeof(terms.value) = 'text'
    UNION ALL
    SELECT terms.id, terms.field, terms.value FROM (
      SELECT * FROM (${selectBeginnings(scope, beginnings, sql`${limits.lookedUp}`)})
      UNION
      SELECT * FROM (${selectFurtherWords(scope, furtherWords)})
    ) AS looked CROSS JOIN terms ON terms.id = looked.id
    WHERE NOT (${isAll}) AND terms.field IN (SELECT value FROM json_each(${named})) AND typeof(terms.value) = 'text'`
}

/** SQL for the terms that start with one of the beginnings. */
const selectBeginnings = (scope: Scope, beginnings: readonly Beginning[], max: SQL) => sql`
  SELECT terms.id
  FROM json_each(${JSON.stringify(beginnings)}) AS item CROSS JOIN terms
  WHERE ${ofCollection(scope, scope.collection, 'terms')}
    AND terms.field = item.value ->> '$.field'
    AND terms.value >= item.value ->> '$.from'
    AND terms.value < (item.value ->> '$.from') || char(1114111)
  LIMIT ${max}`

/** SQL for the names that have a word after the first with one of the beginnings. */
const selectFurtherWords = (scope: Scope, beginnings: readonly string[]) => sql`
  SELECT term_id AS id
  FROM json_each(${JSON.stringify(beginnings)}) AS item CROSS JOIN name_words
  WHERE ${ofCollection(scope, scope.collection, 'name_words')}
    AND word >= item.value AND word < item.value || char(1114111)
  LIMIT ${sql.raw(String(limits.lookedUp))}`

/** SQL for the ids and flags of the terms, and of those with one of the beginnings. */
function selectFlaggedTerms(
  scope: Scope,
  flagged: readonly FlaggedTerm[],
  search: PersonSearch,
): SQL {
  const maxDirect = sql`iif(${comparesAll(scope, search)}, ${limits.values}, ${limits.lookedUp})`
  return sql`
  SELECT id, ${isDirect} AS flags FROM (${selectBeginnings(scope, search.beginnings, maxDirect)})
  UNION ALL
  SELECT terms.id, item.value ->> 1
  FROM json_each(${JSON.stringify(flagged)}) AS item CROSS JOIN terms ON terms.id = item.value ->> 0
  WHERE ${ofCollection(scope, scope.collection, 'terms')}`
}

/** Reads the people with these ordinals, in their order. */
async function readPeople(store: Store, guard: QueryGuard, ordinals: readonly number[]) {
  if (ordinals.length === 0) return []
  const { rows } = await store.select({
    rows: {
      columns: { id: text(sql`records.id`), document: text(sql`records.document`) },
      from: sql`FROM ${sql.raw(rowsUpTo(ordinals.length))} AS slot CROSS JOIN records
        ON ${ofCollection(store, guard.collection)}
        AND ordinal = ${JSON.stringify(ordinals)} ->> slot.column1`,
    },
    ...guard,
  })
  return rows
}
