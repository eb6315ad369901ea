import { type SQL, sql } from 'drizzle-orm'
import type { Filter } from '../model/filter.ts'
import { indexedText } from './indexed.ts'
import type { Scope } from './scope.ts'
import { createdBetween, type TimeRange } from './time-ranges.ts'
import { anyBit, bitsBetween, bitsSet, eachWord, wholeCollection } from './words.ts'

/**
 * The records that pass every filter, as words of bits. `with` makes the table `driver` of one row:
 * the `term` whose blocks are gone through, how many records have it (`count`), and the `last` ordinal of the
 * collection. With several terms it tells, too, which `filter` the term is of, and as
 * a0, b0, a1, … the terms of each filter.
 */
export type Matches = {
  with: SQL
  /**
   * Rows (block, w0 … w7, count) of those blocks that a condition on `words.block` chooses, beside
   * those of a table, if one is given; `term` is the driver's, and `count` tells how many bits are
   * set. They come in order of block, that of the primary key of `words`: told to sort, SQLite would
   * read every block before the first.
   */
  rows: (term: SQL, chosen: SQL, beside?: Beside) => SQL
  /** How many records pass. */
  total: SQL
  /** The block before which none is. */
  first: SQL
}

/** A table of one row that is joined, and what is selected of it. */
type Beside = { table: SQL; selected: SQL }

/** What a request may read at most: no request of one organisation may hold up the others. */
export const mostRowsRead = 200_000

/** SQL for `filters` from the inverted index alone, so of a text over 256 bytes by its first 256; of records created in a range only, if one is given. */
export function matches(scope: Scope, filters: readonly Filter[], created?: TimeRange): Matches {
  const [only, ...others] = filters
  if (others.length > 0)
    return ofSeveralTerms(
      driverOfRarest(scope, filters),
      filters,
      created && createdBetween(scope, created),
    )
  const driver = only ? driverOfFilter(scope, only) : driverOfAll(scope)
  if (created) return ofSeveralTerms(driver, filters, createdBetween(scope, created))
  return !only || only.values.length === 1 ? ofOneTerm(driver) : ofSeveralTerms(driver, filters)
}

/** The words of one term, as they are. */
const ofOneTerm = (driver: SQL): Matches => ({
  with: driver,
  rows: (term, chosen, beside) => sql`
    SELECT ${eachWord((word) => sql`words.${word}`)}, words.block, words.count ${and(beside?.selected)}
    FROM ${before(beside?.table)} words WHERE words.term = ${term} AND ${chosen}`,
  total: sql`(SELECT count FROM driver)`,
  first: sql`0`,
})

/**
 * Goes through the blocks of the driver and ANDs to each the words of the filters. A filter has two
 * terms where a text and the number or boolean it spells both occur: these are ORed first. So a
 * block of `x=7&y=a` is (x text | x number) & y. The driver's own filter is not read again. Of the
 * ordinals beyond the row of `created_between`, if its SQL is given, no bit stays.
 */
function ofSeveralTerms(driver: SQL, filters: readonly Filter[], created?: SQL): Matches {
  const terms = filters.map(({ values }, filter) => ({
    is: sql.raw(`filter = ${filter}`),
    names: ['a', 'b'].slice(0, values.length).map((name) => sql.raw(name + filter)),
  }))
  const joined = terms.flatMap(({ is, names }) =>
    names.map(
      (name) => sql`LEFT JOIN words AS ${name}
        ON ${name}.term = iif(${is}, NULL, driver.${name}) AND ${name}.block = words.block`,
    ),
  )
  // A word of -1 has every bit set.
  const anded = (word: SQL) =>
    terms.map(({ is, names }) => {
      const ored = names.map((name) => sql`coalesce(${name}.${word}, 0)`)
      return sql`(-(${is}) | ${sql.join(ored, sql` | `)})`
    })
  const [after, upto] = [
    sql`(SELECT after FROM created_between)`,
    sql`(SELECT upto FROM created_between)`,
  ]
  const inRange = (place: number) =>
    created ? [bitsBetween(sql`words.block`, place, after, upto)] : []
  const alone = filters.length === 1 && !created
  const rows: Matches['rows'] = (term, chosen, beside) => sql`
    SELECT *, ${alone ? sql`iif(filter = 0, own, ${bitsSet})` : bitsSet} AS count
    FROM (
      SELECT ${eachWord(
        (word, place) =>
          sql`${sql.join([sql`words.${word}`, ...anded(word), ...inRange(place)], sql` & `)} AS ${word}`,
      )}, words.block, words.count AS own, driver.filter ${and(beside?.selected)}
      FROM ${before(beside?.table)} driver CROSS JOIN words ${sql.join(joined, sql` `)}
      -- Without a limit SQLite would work out every AND anew where it is used.
      WHERE words.term = ${term} AND ${chosen} LIMIT -1
    )
    WHERE ${anyBit}`
  const counted = sql`(SELECT sum(count) FROM (${rows(sql`driver.term`, sql`true`)}))`
  return {
    with: created ? sql`${driver}, ${created}` : driver,
    rows,
    total: alone ? sql`(SELECT iif(filter = 0, count, ${counted}) FROM driver)` : counted,
    first: created ? sql`(${after} / 496)` : sql`0`,
  }
}

const and = (selected?: SQL) => (selected ? sql`, ${selected}` : sql``)
const before = (table?: SQL) => (table ? sql`${table} CROSS JOIN` : sql``)

const driverOfAll = (scope: Scope) => sql`driver AS MATERIALIZED (
  SELECT id AS term, count, last, -1 AS filter FROM terms WHERE ${wholeCollection(scope)}
)`

/** The driver is the filter's own term, or the collection's where a text and what it spells both occur. */
function driverOfFilter(scope: Scope, { field, values }: Filter): SQL {
  const names = ['a', 'b'].slice(0, values.length).map((name) => sql.raw(name))
  const joined = names.map(
    (name, place) => sql`LEFT JOIN terms AS ${name}
      ON ${name}.organisation_id = whole.organisation_id AND ${name}.collection = whole.collection
      AND ${name}.field = ${field} AND ${name}.value = ${indexed(values[place] ?? '')}`,
  )
  const [a = sql``, b] = names
  const both = b ? sql`b.id IS NOT NULL AND a.id IS NOT NULL` : sql`false`
  const either = (column: SQL) =>
    b ? sql`iif(${both}, whole.${column}, coalesce(a.${column}, b.${column}))` : sql`${a}.${column}`
  return sql`driver AS MATERIALIZED (
    SELECT
      ${either(sql`id`)} AS term,
      ${either(sql`count`)} AS count,
      whole.last,
      iif(${both}, -1, 0) AS filter,
      ${sql.join(
        names.map((name) => sql`${name}.id AS ${name}0`),
        sql`, `,
      )}
    FROM (SELECT * FROM terms WHERE ${wholeCollection(scope)}) AS whole ${sql.join(joined, sql` `)}
  )`
}

/** The driver is the rarest filter of one term, or the collection's own term; `cost` is as many rows as all the blocks could take. */
function driverOfRarest(scope: Scope, filters: readonly Filter[]): SQL {
  const wanted = JSON.stringify([
    { filter: -1, field: '', value: null },
    ...filters.flatMap(({ field, values }, filter) =>
      values.map((value) => ({ filter, field, value })),
    ),
  ])
  const terms = filters.map((_, filter) =>
    sql.raw(
      ['a', 'b']
        .map((name) => `max(${name}) FILTER (WHERE filter = ${filter}) AS ${name}${filter}`)
        .join(', '),
    ),
  )
  return sql`
    wanted AS MATERIALIZED (
      SELECT
        item.value ->> '$.filter' AS filter,
        min(terms.id) AS a,
        nullif(max(terms.id), min(terms.id)) AS b,
        sum(terms.count) AS count,
        max(terms.last) AS last
      FROM json_each(${wanted}) AS item CROSS JOIN terms
      WHERE terms.organisation_id = ${scope.organisationId}
        AND terms.collection = ${scope.collection}
        AND terms.field = item.value ->> '$.field'
        AND terms.value = CASE json_type(item.value, '$.value')
          WHEN 'null' THEN x''
          WHEN 'true' THEN x'01'
          WHEN 'false' THEN x'00'
          WHEN 'text' THEN ${indexedText(sql`item.value ->> '$.value'`)}
          ELSE item.value ->> '$.value' END
      GROUP BY 1
    ),
    driver AS MATERIALIZED (
      SELECT iif(cost > ${mostRowsRead}, NULL, a) AS term, filter, wanted.count, every.*
      FROM wanted CROSS JOIN (
        SELECT
          ${sql.join(terms, sql`, `)},
          max(last) AS last,
          (count(a) + count(b)) * min(min(count), max(last) / 496 + 1) AS cost,
          count(*) AS filters
        FROM wanted
      ) AS every
      WHERE b IS NULL AND filters = ${filters.length + 1}
      ORDER BY count, filter DESC LIMIT 1
    )`
}

function indexed(value: Filter['values'][number]): SQL {
  if (typeof value === 'boolean') return value ? sql`x'01'` : sql`x'00'`
  return isLong(value) ? indexedText(sql`${value}`) : sql`${value}`
}

/** Whether a text may be longer than what the index holds whole, 256 bytes: those of 86 characters may. */
export const isLong = (value: Filter['values'][number]) =>
  typeof value === 'string' && value.length > 85

/** SQL for whether a row of `records` has the texts of these filters whole, and not only as the index holds them. */
export const wholly = (filters: readonly Filter[]): SQL =>
  sql.join(
    [sql`true`, ...filters.filter(({ values }) => values.some(isLong)).map(hasWhole)],
    sql` AND `,
  )

const hasWhole = ({ field, values }: Filter) => sql`EXISTS (
  SELECT 1 FROM leaves WHERE leaves.row = records.row AND leaves.field = ${field}
    AND leaves.atom IN (${sql.join(
      values.map((value) => sql`${value}`),
      sql`, `,
    )})
)`
