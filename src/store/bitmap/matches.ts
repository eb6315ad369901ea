import { type SQL, sql } from 'drizzle-orm/sql'
import type { Filter } from '../../model/filter.ts'
import type { Scope } from '../statement.ts'
import {
  bitmapColumns,
  bitsBetween,
  bitsSet,
  blockSize,
  collectionTerm,
  hasAnyBit,
  indexedText,
  isLong,
} from './bits.ts'
import { createdBetween, type TimeRange } from './time-ranges.ts'

/**
 * The records that pass every filter, as bitmaps. `with` defines `driver`, a table of one row with
 * the `term` of the blocks to read, its `count` and the collection's `last` ordinal; with several
 * terms also each filter's terms (a0, b0, …) and `unread0`, …: -1 for the driver's own filter,
 * otherwise 0.
 */
export type BitmapMatches = {
  with: SQL
  /**
   * SQL without parameters for the blocks (block, bits0 … bits7, count) of `term` that meet
   * a condition on `bitmaps.block`. The rows follow the primary key of `bitmaps`, because ORDER BY
   * would make SQLite read every block before the first row.
   */
  rows: (term: string, condition: string, joined?: JoinedTable) => string
  /** The number of records that pass. */
  total: SQL
  /** SQL without parameters for the first block that may have a match. */
  first: string
  /** SQL without parameters for the maximum number of rows read; undefined for one row per block. */
  cost: string | undefined
  /** The maximum number of rows of `bitmaps` per block. */
  rowsInBlock: number
}

type JoinedTable = { table: string; selected: string }

/** The maximum number of rows that a request reads, so that one tenant does not stall the others. */
export const maxRowsRead = 200_000

/** Matches filters through the index, which compares the first 256 bytes of a text. With `created`, only records created in that range match. */
export function matchFilters(
  scope: Scope,
  filters: readonly Filter[],
  created?: TimeRange,
): BitmapMatches {
  const [only, ...others] = filters
  const range = created && createdBetween(scope, created)
  if (others.length > 0) return matchSeveralTerms(selectRarest(scope, filters), filters, range)
  const driver = only ? selectFilterTerm(scope, only) : selectCollectionTerm(scope)
  const isOne = !range && (!only || termsOf(only).length === 1)
  return isOne ? matchOneTerm(driver) : matchSeveralTerms(driver, filters, range)
}

/** The maximum number of times that a query reads a block: to find the page, to count the records before it, and to count the rest. */
const maxPasses = 3

/** The maximum number of other rows that a query reads: terms, the time search and the records of a page. */
const maxRowsBeside = 1000

const matchOneTerm = (driver: SQL): BitmapMatches => ({
  with: driver,
  rows: (term, condition, joined) => `
    SELECT ${bitmapColumns.map((column) => `bitmaps.${column}`).join(', ')}, bitmaps.block, bitmaps.count ${joined ? `, ${joined.selected}` : ''}
    FROM ${joined ? `${joined.table} CROSS JOIN` : ''} bitmaps WHERE bitmaps.term_id = ${term} AND ${condition}`,
  total: sql`(SELECT count FROM driver)`,
  first: '0',
  cost: undefined,
  rowsInBlock: 1,
})

/**
 * ANDs the driver's blocks with the bitmaps of the other filters. If both a text and the number or
 * boolean that it spells occur, ORs their two terms first: `x=7&y=a` becomes (x text | x number) &
 * y.
 */
function matchSeveralTerms(driver: SQL, filters: readonly Filter[], created?: SQL): BitmapMatches {
  const terms = filters.map((filter, index) => ({
    unread: `unread${index}`,
    names: ['a', 'b'].slice(0, termsOf(filter).length).map((name) => name + index),
  }))
  const joins = terms
    .flatMap(({ names }) => names)
    .map(
      (name) =>
        `LEFT JOIN bitmaps ${name} ON ${name}.term_id = driver.${name} AND ${name}.block = bitmaps.block`,
    )
    .join(' ')
  const [after, upto] = ['after', 'upto'].map((end) => `(SELECT ${end} FROM created_between)`)
  const anded = bitmapColumns.map((column, part) => {
    const ored = terms.map(({ unread, names: [a, b] }) => {
      const one = `ifnull(${a}.${column}, ${unread})`
      return b ? `(${one} | ifnull(${b}.${column}, 0))` : one
    })
    const inRange = created ? [bitsBetween(part, `${after}`, `${upto}`)] : []
    return `${[`bitmaps.${column}`, ...ored, ...inRange].join(' & ')} AS ${column}`
  })
  const isSingle = filters.length === 1 && !created
  // With several filters, only the driver's query knows which terms exist.
  const rowsInBlock = 1 + terms.flatMap(({ names }) => names).length
  const cost =
    filters.length > 1
      ? 'driver.cost'
      : estimateCost(`${rowsInBlock}`, 'driver.count', 'driver.last')
  // Without the inner LIMIT, SQLite would evaluate every AND again at each use.
  const rows: BitmapMatches['rows'] = (term, condition, joined) => `
    SELECT *, ${isSingle ? `iif(unread0, stored_count, ${bitsSet})` : bitsSet} AS count
    FROM (
      SELECT ${anded.join(', ')}, bitmaps.block, bitmaps.count AS stored_count${isSingle ? ', unread0' : ''} ${joined ? `, ${joined.selected}` : ''}
      FROM ${joined ? `${joined.table} CROSS JOIN` : ''} driver CROSS JOIN bitmaps ${joins}
      WHERE bitmaps.term_id = iif(${cost} <= ${maxRowsRead}, ${term}, NULL) AND ${condition} LIMIT -1
    )
    WHERE ${hasAnyBit}`
  const counted = `(SELECT sum(count) FROM (${rows('driver.term', 'true')}))`
  return {
    with: created ? sql`${driver}, ${created}` : driver,
    rows,
    total: sql.raw(isSingle ? `(SELECT iif(unread0, count, ${counted}) FROM driver)` : counted),
    first: created ? `(${after} / ${blockSize})` : '0',
    cost: `(SELECT ${cost} FROM driver)`,
    rowsInBlock,
  }
}

/** SQL for the maximum number of rows that a query reads, given a driver with `count` records up to the ordinal `last`. */
const estimateCost = (rowsInBlock: string, count: string, last: string) =>
  `(${maxRowsBeside} + ${maxPasses} * ${rowsInBlock} * min(${count}, ${last} / ${blockSize} + 1))`

const selectCollectionTerm = (scope: Scope) => sql`driver AS NOT MATERIALIZED (
  SELECT id AS term, count, last FROM terms WHERE ${collectionTerm(scope)}
)`

/** Selects the filter's term as driver, or the collection's term if both terms of the filter occur. */
function selectFilterTerm(scope: Scope, filter: Filter): SQL {
  const filterTerms = termsOf(filter)
  const names = ['a', 'b'].slice(0, filterTerms.length).map((name) => sql.raw(name))
  const joins = filterTerms.map(({ field, value }, index) => {
    const name = names[index] ?? sql``
    return sql`LEFT JOIN terms AS ${name}
      ON ${name}.organisation_id = collection_term.organisation_id AND ${name}.collection = collection_term.collection
      AND ${name}.field = ${field} AND ${name}.value = ${indexed(value)}`
  })
  const [a = sql``, b] = names
  const both = b ? sql`b.id IS NOT NULL AND a.id IS NOT NULL` : sql`false`
  const either = (column: SQL) =>
    b
      ? sql`iif(${both}, collection_term.${column}, coalesce(a.${column}, b.${column}))`
      : sql`${a}.${column}`
  return sql`driver AS MATERIALIZED (
    SELECT
      ${either(sql`id`)} AS term,
      ${either(sql`count`)} AS count,
      collection_term.last,
      -(NOT (${both})) AS unread0,
      ${sql.join(
        names.map((name) => sql`iif(${both}, ${name}.id, NULL) AS ${name}0`),
        sql`, `,
      )}
    FROM (SELECT * FROM terms WHERE ${collectionTerm(scope)}) AS collection_term ${sql.join(joins, sql` `)}
  )`
}

/** Selects the rarest filter with a single term as driver, or the collection's term. `cost` is the maximum number of rows read. */
function selectRarest(scope: Scope, filters: readonly Filter[]): SQL {
  const filterTerms = JSON.stringify([
    { filter: -1, field: '', value: null },
    ...filters.flatMap((filter, index) =>
      termsOf(filter).map((term) => ({ filter: index, ...term })),
    ),
  ])
  const terms = filters.flatMap((_, filter) => [
    ...['a', 'b'].map(
      (name) =>
        `max(${name}) FILTER (WHERE filter = ${filter} AND filter <> rarest) AS ${name}${filter}`,
    ),
    `-(rarest = ${filter}) AS unread${filter}`,
  ])
  return sql`
    filter_terms AS MATERIALIZED (
      SELECT
        item.value ->> '$.filter' AS filter,
        min(terms.id) AS a,
        nullif(max(terms.id), min(terms.id)) AS b,
        sum(terms.count) AS count,
        max(terms.last) AS last
      FROM json_each(${filterTerms}) AS item CROSS JOIN terms
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
    rarest AS MATERIALIZED (
      SELECT filter AS rarest, a AS term, count FROM filter_terms WHERE b IS NULL
      ORDER BY count, filter DESC LIMIT 1
    ),
    driver AS MATERIALIZED (
      SELECT rarest.term, rarest.count, every.*
      FROM rarest CROSS JOIN (
        SELECT
          ${sql.raw(terms.join(', '))},
          max(last) AS last,
          ${sql.raw(estimateCost('(count(a) + count(b))', 'min(filter_terms.count)', 'max(last)'))} AS cost
        FROM rarest CROSS JOIN filter_terms
        HAVING count(*) = ${filters.length + 1}
      ) AS every
    )`
}

const termsOf = ({ field, values, or }: Filter) => [
  ...values.map((value) => ({ field, value })),
  ...(or ? [{ field: or.field, value: or.text }] : []),
]

function indexed(value: Filter['values'][number]): SQL {
  if (typeof value === 'boolean') return value ? sql`x'01'` : sql`x'00'`
  return isLong(value) ? indexedText(sql`${value}`) : sql`${value}`
}
