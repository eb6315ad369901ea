import { type SQL, sql } from 'drizzle-orm/sql'
import type { Filter } from '../../model/filter.ts'
import type { Scope } from '../statement.ts'
import {
  bitCountOfBlock,
  bitmapColumns,
  bitsBetween,
  blockSize,
  collectionTerm,
  hasAnyBit,
  indexedText,
  isLong,
} from './bits.ts'
import { createdBetween, type TimeRange } from './time-ranges.ts'

/*
 * Finds the records that pass all filters of a list, such as `?town=Leeds&third=true`, by their bitmaps. Each term (a
 * value of a field) has a bitmap for each block of ordinals in which it occurs, with a bit for each record that
 * has it. The query goes through the blocks of one term, the *driving term*, which is the rarest, and ANDs each with
 * the bitmaps of the other filters in the same block: for `town=Leeds` 10010 & for `third=true` 00010 gives 00010,
 * the record with the ordinal 1.
 *
 * `visits=7` matches the text '7' and the number 7, so a filter has one or two terms, a0 and b0 of the first filter.
 * The bitmaps of the two are ORed. Only a filter with one term can drive. Without one, the collection's own term
 * drives, which every record has. The bits of a filter that excludes values are inverted, so it never drives.
 *
 * The SQL is strings without parameters where D1 would bind the request's numbers as REAL. Functions such as
 * `selectBlocks` return SQL that reads the table `driving_term`, which `with` defines.
 */

export type BitmapMatches = {
  /**
   * Defines `driving_term`, a table of one row: its id as `term`, the `count` of its records and the `last` ordinal of
   * the collection. If several terms are read, also the ids of the others (a0, b0, a1, …) and the bits of a filter
   * in a block without its bitmap (default_bits0, …): all (-1) for the filter that drives, because its bitmap is not
   * read again, otherwise none (0).
   */
  with: SQL
  /**
   * SQL for the blocks (block, bits0 … bits7, count) of `term` that meet a condition on `bitmaps.block`, and their
   * bits of records that pass. The rows follow the primary key of `bitmaps`, because ORDER BY would make SQLite
   * read every block before the first row.
   */
  selectBlocks: (term: string, condition: string, joined?: JoinedTable) => string
  /** SQL for the number of records that pass. */
  total: SQL
  /** SQL for the first block that may have a match. */
  firstBlock: string
  /** SQL for the maximum number of rows that the query reads; undefined if it reads one bitmap for each block. */
  cost: string | undefined
  /** The maximum number of bitmaps that the query reads for each block. */
  bitmapsOfBlock: number
}

/** A table that `term` and `condition` refer to, and its columns to return with each block. */
type JoinedTable = { table: string; selected: string }

/** The maximum number of rows that a request reads, so that one tenant does not stall the others. */
export const maxRowsRead = 200_000

/** Matches filters by the index, which has only the first 256 bytes of a text. With `created`, only records created in that range match. */
export function matchFilters(
  scope: Scope,
  filters: readonly Filter[],
  created?: TimeRange,
): BitmapMatches {
  const [only, ...others] = filters
  const range = created && createdBetween(scope, created)
  if (others.length > 0 || only?.excludes)
    return matchSeveralTerms(selectRarestTerm(scope, filters), filters, range)
  const drivingTerm = only ? selectFilterTerm(scope, only) : selectCollectionTerm(scope)
  const isOne = !range && (!only || termsOf(only).length === 1)
  return isOne ? matchOneTerm(drivingTerm) : matchSeveralTerms(drivingTerm, filters, range)
}

/** The maximum number of times that a query reads a block: to find the page, to count the records before it, and to count the rest. */
const maxPasses = 3

/** The maximum number of other rows that a query reads: terms, the time search and the records of a page. */
export const maxRowsBeside = 1000

const matchOneTerm = (drivingTerm: SQL): BitmapMatches => ({
  with: drivingTerm,
  selectBlocks: (term, condition, joined) => `
    SELECT ${bitmapColumns.map((column) => `bitmaps.${column}`).join(', ')}, bitmaps.block, bitmaps.count ${joined ? `, ${joined.selected}` : ''}
    FROM ${joined ? `${joined.table} CROSS JOIN` : ''} bitmaps WHERE bitmaps.term_id = ${term} AND ${condition}`,
  total: sql`(SELECT count FROM driving_term)`,
  firstBlock: '0',
  cost: undefined,
  bitmapsOfBlock: 1,
})

/** ANDs the blocks of the driving term with the bitmaps of the filters: `x=7&y=a` becomes (x text | x number) & y. */
function matchSeveralTerms(
  drivingTerm: SQL,
  filters: readonly Filter[],
  created?: SQL,
): BitmapMatches {
  const terms = filters.map((filter, index) => ({
    defaultBits: `default_bits${index}`,
    names: ['a', 'b'].slice(0, termsOf(filter).length).map((name) => name + index),
    excludes: filter.excludes,
  }))
  const joins = terms
    .flatMap(({ names }) => names)
    .map(
      (name) =>
        `LEFT JOIN bitmaps ${name} ON ${name}.term_id = driving_term.${name} AND ${name}.block = bitmaps.block`,
    )
    .join(' ')
  const [after, upto] = ['after', 'upto'].map((end) => `(SELECT ${end} FROM created_between)`)
  const anded = bitmapColumns.map((column, part) => {
    const ored = terms.map(({ defaultBits, names: [a, b], excludes }) => {
      const one = `ifnull(${a}.${column}, ${defaultBits})`
      const either = b ? `(${one} | ifnull(${b}.${column}, 0))` : one
      return excludes ? `~${either}` : either
    })
    const inRange = created ? [bitsBetween(part, `${after}`, `${upto}`)] : []
    return `${[`bitmaps.${column}`, ...ored, ...inRange].join(' & ')} AS ${column}`
  })
  const [only] = filters
  const isSingle = filters.length === 1 && !only?.excludes && !created
  const bitmapsOfBlock = 1 + terms.flatMap(({ names }) => names).length
  // The `driving_term` of `selectRarestTerm` has the cost, because it knows which terms exist.
  const cost =
    filters.length > 1 || only?.excludes
      ? 'driving_term.cost'
      : estimateCost(`${bitmapsOfBlock}`, 'driving_term.count', 'driving_term.last')
  // Without the inner LIMIT, SQLite would evaluate every AND again at each use.
  const selectBlocks: BitmapMatches['selectBlocks'] = (term, condition, joined) => `
    SELECT *, ${isSingle ? `iif(default_bits0, stored_count, ${bitCountOfBlock})` : bitCountOfBlock} AS count
    FROM (
      SELECT ${anded.join(', ')}, bitmaps.block, bitmaps.count AS stored_count${isSingle ? ', default_bits0' : ''} ${joined ? `, ${joined.selected}` : ''}
      FROM ${joined ? `${joined.table} CROSS JOIN` : ''} driving_term CROSS JOIN bitmaps ${joins}
      WHERE bitmaps.term_id = iif(${cost} <= ${maxRowsRead}, ${term}, NULL) AND ${condition} LIMIT -1
    )
    WHERE ${hasAnyBit}`
  const counted = `(SELECT sum(count) FROM (${selectBlocks('driving_term.term', 'true')}))`
  return {
    with: created ? sql`${drivingTerm}, ${created}` : drivingTerm,
    selectBlocks,
    total: sql.raw(
      isSingle ? `(SELECT iif(default_bits0, count, ${counted}) FROM driving_term)` : counted,
    ),
    firstBlock: created ? `(${after} / ${blockSize})` : '0',
    cost: `(SELECT ${cost} FROM driving_term)`,
    bitmapsOfBlock,
  }
}

/** SQL for the maximum number of rows that a query reads, given the bitmaps of each block, and the records of the driving term up to the ordinal `last`. */
const estimateCost = (bitmapsOfBlock: string, count: string, last: string) =>
  `(${maxRowsBeside} + ${maxPasses} * ${bitmapsOfBlock} * min(${count}, ${last} / ${blockSize} + 1))`

const selectCollectionTerm = (scope: Scope) => sql`driving_term AS NOT MATERIALIZED (
  SELECT id AS term, count, last FROM terms WHERE ${collectionTerm(scope)}
)`

/** SQL for `driving_term` with one filter: the filter's term, or the collection's if both terms of the filter occur. */
function selectFilterTerm(scope: Scope, filter: Filter): SQL {
  const filterTerms = termsOf(filter)
  const names = ['a', 'b'].slice(0, filterTerms.length).map((name) => sql.raw(name))
  const joins = filterTerms.map(({ field, value }, index) => {
    const name = names[index] ?? sql``
    return sql`LEFT JOIN terms AS ${name}
      ON ${name}.organisation_id = collection_term.organisation_id AND ${name}.collection = collection_term.collection
      AND ${name}.field = ${field} AND ${name}.value = ${toIndexValue(value)}`
  })
  const [a = sql``, b] = names
  const both = b ? sql`b.id IS NOT NULL AND a.id IS NOT NULL` : sql`false`
  const either = (column: SQL) =>
    b
      ? sql`iif(${both}, collection_term.${column}, coalesce(a.${column}, b.${column}))`
      : sql`${a}.${column}`
  return sql`driving_term AS MATERIALIZED (
    SELECT
      ${either(sql`id`)} AS term,
      ${either(sql`count`)} AS count,
      collection_term.last,
      -(NOT (${both})) AS default_bits0,
      ${sql.join(
        names.map((name) => sql`iif(${both}, ${name}.id, NULL) AS ${name}0`),
        sql`, `,
      )}
    FROM (SELECT * FROM terms WHERE ${collectionTerm(scope)}) AS collection_term ${sql.join(joins, sql` `)}
  )`
}

/** SQL for `driving_term` with several filters, or with one that excludes values: the rarest of those with one term, or the collection's, which is listed as filter -1. `cost` is the maximum number of rows read. */
function selectRarestTerm(scope: Scope, filters: readonly Filter[]): SQL {
  const filterTerms = JSON.stringify([
    { filter: -1, field: '', value: null },
    ...filters.flatMap((filter, index) =>
      termsOf(filter).map((term) => ({ filter: index, ...term })),
    ),
  ])
  const excluding = filters.flatMap(({ excludes }, filter) => (excludes ? [filter] : []))
  const includes = excluding.length > 0 ? `filter NOT IN (${excluding.join(', ')})` : 'true'
  const terms = filters.flatMap((_, filter) => [
    ...['a', 'b'].map(
      (name) =>
        `max(${name}) FILTER (WHERE filter = ${filter} AND filter <> rarest) AS ${name}${filter}`,
    ),
    `-(rarest = ${filter}) AS default_bits${filter}`,
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
      SELECT filter AS rarest, a AS term, count FROM filter_terms WHERE b IS NULL AND ${sql.raw(includes)}
      ORDER BY count, filter DESC LIMIT 1
    ),
    driving_term AS MATERIALIZED (
      SELECT rarest.term, rarest.count, every.*
      FROM rarest CROSS JOIN (
        SELECT
          ${sql.raw(terms.join(', '))},
          max(last) AS last,
          ${sql.raw(estimateCost('(count(a) + count(b))', `min(filter_terms.count) FILTER (WHERE ${includes})`, 'max(last)'))} AS cost
        FROM rarest CROSS JOIN filter_terms
        HAVING count(*) FILTER (WHERE ${sql.raw(includes)}) = ${filters.length - excluding.length + 1}
      ) AS every
    )`
}

const termsOf = ({ field, values, or }: Filter) => [
  ...values.map((value) => ({ field, value })),
  ...(or ? [{ field: or.field, value: or.text }] : []),
]

function toIndexValue(value: Filter['values'][number]): SQL {
  if (typeof value === 'boolean') return value ? sql`x'01'` : sql`x'00'`
  return isLong(value) ? indexedText(sql`${value}`) : sql`${value}`
}
