import { type SQL, sql } from 'drizzle-orm/sql'
import { passes } from '../../model/query/predicate.ts'
import type { Position, SortKey } from '../../model/query/query-options.ts'
import { rowsUpTo } from '../bitmap/bits.ts'
import type { TimeRange } from '../bitmap/time-ranges.ts'
import { type Column, type Columns, integer, nullable, selectColumns, text } from '../columns.ts'
import type { Row } from '../statement.ts'
import { type QueryReader, queryLimits } from './query-reader.ts'
import type { RecordQuery } from './record-query.ts'
import {
  indexColumn,
  isAfter,
  isInRange,
  isSameKey,
  keyColumn,
  orderByKeys,
  selectKey,
} from './sort-keys.ts'
import type { TermRange } from './term-ranges.ts'

/*
 * The last statement of a query reads the records of the page from candidates: the ordinals that the index found. It
 * runs later than the statements that found them, so records may have changed in between. It drops a record that no
 * longer passes or has another value in the order, because a position with the new value would skip other records.
 */

/** The maximum number of candidates that are listed by VALUES. */
const maxSlots = 2000

/** A record that may belong to the page, with the values of the order that the walk has found: none, the first few, or all. */
export type Candidate = { ordinal: number; keys: readonly SortKey[] }

/** The records of a page, the position of the last one, and whether candidates are left (`isCut`). */
export type CandidatePage = { rows: Row[]; last: Position | undefined; isCut: boolean }

/** Sorts the candidates by the query's order, in `ranges` of its first field, and reads the page of them. */
export async function readCandidates(
  reader: QueryReader,
  query: RecordQuery,
  candidates: readonly Candidate[],
  columns: Columns,
  ranges?: readonly TermRange[],
): Promise<CandidatePage> {
  const { order, limit, predicate } = query
  if (candidates.length === 0 || limit === 0) return { rows: [], last: undefined, isCut: false }
  const keys = order.map((_, index) => nullable(indexColumn(`page.key${index}`)))
  const all: Columns = {
    ...columns,
    query_ordinal: ordinalColumn,
    query_document: nullable(
      text(sql`iif(records.version > ${reader.version}, records.document, NULL)`),
    ),
    ...Object.fromEntries(keys.map((key, index) => [`query_key${index}`, key])),
  }
  const names = Object.keys(all)
  const ordinals = candidates.map(({ ordinal }) => ordinal)
  const page = selectPage(reader, query, ordinals, all, ranges)
  const { rows } = await reader.read({
    columns: names,
    rows: query.isExport ? limitSize(names, page) : page,
  })
  const cut = rows.findIndex((row) => row.query_ordinal === null)
  const fitting = rows.slice(0, Math.min(limit, cut < 0 ? limit : cut))
  const found = new Map(candidates.map(({ ordinal, keys }) => [ordinal, keys]))
  const unmoved = fitting
    .map((row) => ({ row, position: toPosition(row, keys) }))
    .filter(({ position: { ordinal, keys } }) =>
      found.get(ordinal)?.every((key, index) => isSameKey(key, keys[index])),
    )
  return {
    rows: unmoved
      .map(({ row }) => row)
      .filter(({ query_document: changed }) =>
        changed === null || !predicate ? true : passes(predicate, JSON.parse(String(changed))),
      ),
    last: unmoved.at(-1)?.position,
    isCut: rows.length > fitting.length,
  }
}

const ordinalColumn = integer(sql`records.ordinal`)

const toPosition = (row: Row, keys: readonly Column<SortKey>[]): Position => ({
  keys: keys.map(({ decode }, index) => decode(row[`query_key${index}`] ?? null)),
  ordinal: ordinalColumn.decode(row.query_ordinal ?? null),
})

/** SQL for the page with the columns that `readCandidates` needs. */
function selectPage(
  { scope }: QueryReader,
  { order, after, skip, limit, changed }: RecordQuery,
  ordinals: readonly number[],
  columns: Columns,
  ranges: readonly TermRange[] | undefined,
): SQL {
  const all = selectColumns(columns)
  const list = JSON.stringify(ordinals)
  const inCollection = sql`records.organisation_id = ${scope.organisationId}
    AND records.collection = ${scope.collection} AND ${isChangedIn(changed)}`
  if (order.length === 0) {
    // `->>` counts to the item at each use, so in long lists json_each is faster, although it reads a row for each item.
    const isLong = ordinals.length > maxSlots
    const [slots, ordinal] = isLong
      ? [sql`json_each(${list})`, sql`slot.value`]
      : [sql.raw(rowsUpTo(ordinals.length)), sql`${list} ->> slot.column1`]
    // CROSS JOIN makes the slots the outer loop, so the records keep its order.
    return sql`SELECT ${all} FROM ${slots} AS slot
      CROSS JOIN records ON records.ordinal = ${ordinal} AND ${inCollection}`
  }
  const orderKeys = order.map(
    ({ field }, index) => sql`, ${selectKey(field)} AS ${keyColumn(index)}`,
  )
  const inRanges = ranges
    ? sql`AND (${sql.join(
        [sql`false`, ...ranges.map((range) => sql`(${isInRange(keyColumn(0), range)})`)],
        sql` OR `,
      )})`
    : sql``
  const sorted = sql`SELECT * FROM (
      SELECT records.row, records.ordinal ${sql.join(orderKeys)}
      FROM json_each(${list}) AS item
      CROSS JOIN records ON records.ordinal = item.value AND ${inCollection}
      LIMIT -1
    )
    WHERE ${after ? isAfter(order, after) : sql`true`} ${inRanges}
    ORDER BY ${orderByKeys(order)}
    LIMIT ${sql.raw(`${limit + 1} OFFSET ${skip}`)}`
  return sql`SELECT ${all} FROM (${sorted}) AS page CROSS JOIN records ON records.row = page.row`
}

/** SQL that tests whether a record of `records` last changed in a range. */
const isChangedIn = ({ from, to }: TimeRange = {}) =>
  sql.join(
    [
      sql`true`,
      ...(from === undefined ? [] : [sql`records.changed >= ${from}`]),
      ...(to === undefined ? [] : [sql`records.changed < ${to}`]),
    ],
    sql` AND `,
  )

/** SQL for the rows, with NULL in those beyond the size of a page. */
function limitSize(columns: readonly string[], rows: SQL): SQL {
  const names = columns.map((column) => sql.identifier(column))
  const lengths = names.map((name) => sql`coalesce(octet_length(${name}), 0)`)
  const before = sql`sum(${sql.join(lengths, sql` + `)})
    OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`
  const fits = sql.raw(`coalesce(bytes_before, 0) < ${queryLimits.pageBytes}`)
  return sql`SELECT ${sql.join(
    names.map((name) => sql`iif(${fits}, ${name}, NULL)`),
    sql`, `,
  )} FROM (SELECT *, ${before} AS bytes_before FROM (${rows}))`
}
