import { type SQL, sql } from 'drizzle-orm/sql'
import type { Scope } from '../statement.ts'
import { bitOf, blockSize, ordinalsOfBlock, rowsUpTo } from './bits.ts'
import { containsLongTexts } from './long-texts.ts'
import { type BitmapMatches, maxRowsRead } from './matches.ts'
import { cursorOf, type PageQuery, type PageSql } from './page-query.ts'
import { changedBetween, type TimeRange } from './time-ranges.ts'

/*
 * A page of the records that last changed in a range of time, in order of change: `?town=Leeds&$updatedFrom=2026-01-01`.
 * There are two ways to find them. The statement has both, and its table `direction` chooses the cheaper one
 * by making the other read nothing:
 * - by changes: go through the organisation's records in order of version, which grows with every change, and look
 *   each up in the bitmaps of the filters. This stops when the page is full, so it suits filters that many pass.
 * - by filters: read all records that pass the filters, and sort those in the range by version. This suits few.
 * The table `found` has the result as one row, from which the page and the total follow. `driving_term` has the rarest term
 * of the filters and the `count` of its records. Both ways read the blocks of this term (see matches.ts).
 */

/** The maximum number of changes that one page of an export reads. */
const maxChangesOfPage = 10_000

/**
 * The digits of each row number in the one text that lists the records of `found`: D1 counts each further pass through
 * a table, but not a `substr` of a text.
 */
const digitsOfRow = 12

/** The maximum number of records in that text, because D1's longest text has 2 MB. */
const maxListed = 160_000

/** SQL for a range of versions: above `after` and up to `upto`. */
type Versions = { after: SQL; upto: SQL }

/** SQL for a page of the records that changed in a range of time. With `counted`, it also finds the total; otherwise it stops at the end of the page. */
export function pageByLastChange(
  scope: Scope,
  query: PageQuery,
  range: TimeRange,
  matching: BitmapMatches,
  counted: boolean,
): PageSql {
  const cursor = cursorOf(query)
  const { limit, offset, filters } = cursor ? { ...query, offset: 0 } : query
  const pageEnd = integer(offset + limit)
  // The first page of an export has a position but no cursor. A page with an offset belongs to a list.
  const isExport = query.exportPosition !== undefined && offset === 0
  const { maxChanges, maxMatches } = limitReads(query, matching, counted)
  const window = isExport ? Math.min(maxChangesOfPage, maxChanges) : maxChanges
  // In order of change, the `ordinal` of a cursor holds a version: that of the last record or change of the previous page.
  const previousVersion = cursor?.ordinal ?? 0
  const after = sql`max(after, ${integer(previousVersion)})`
  const versions: Versions = {
    after: sql`(SELECT ${after} FROM changed_between)`,
    upto: sql`(SELECT upto FROM changed_between)`,
  }
  const changes = selectChanges(scope, versions)
  const inWindow = sql`(${changes(sql`row, version, collection, ordinal, document`)} LIMIT ${integer(window + 1)}) AS records`
  const isWanted = sql`collection = ${scope.collection} AND ${passesFilters(query, matching)}`
  // With a total, a `row` of NULL means that a change was read but does not match: `found` counts it in `read`, because
  // D1 reads it, but not in `matching`. `candidates` sets it for changes that fail the filters, and `reads` for those
  // without the long texts of the filters.
  // Without LIMIT -1, SQLite would evaluate the selected expressions again at each use.
  const candidates = sql`
    SELECT * FROM (${
      counted
        ? sql`SELECT iif(${isWanted}, row, NULL) AS row, version, document FROM ${inWindow}`
        : sql`SELECT row, version, document FROM ${inWindow} WHERE ${isWanted}`
    })
    UNION ALL
    SELECT * FROM (${selectByFilters(scope, matching, versions)})
    LIMIT -1`
  // The version of the window's last change, or NULL if the window has all changes of the range.
  const endOfWindow = sql`(${changes(sql`version`)} LIMIT 1 OFFSET ${integer(window)})`
  const isShort = sql`read < ${pageEnd}`
  const needsMoreChanges = isExport ? sql`false` : sql`${isShort} AND ${endOfWindow} IS NOT NULL`
  const isTooMany = counted ? sql`read > ${integer(maxChanges)}` : needsMoreChanges
  const cost = filters.length > 1 ? sql.raw(`coalesce(${matching.cost}, 0)`) : sql`0`
  // A `term` of NULL stops the query by filters, and an `after` of `upto` the query by changes. The latter also stops if the
  // filters alone are over the row budget, because the page is then refused for its cost.
  const direction = sql`
    SELECT
      iif(by_filters OR ${cost} > ${maxRowsRead}, upto, after) AS after,
      iif(by_filters, term, NULL) AS term
    FROM (
      SELECT *, count <= ${integer(maxMatches)} AND ${isCheaperByFilters(pageEnd, counted)} AS by_filters
      FROM (SELECT ${after} AS after, upto FROM changed_between)
      CROSS JOIN (SELECT term, coalesce(count, 0) AS count FROM driving_term)
    )`
  const rowOfMatch = sql`iif(${containsLongTexts(filters)}, row, NULL)`
  const reads = counted
    ? sql`SELECT ${rowOfMatch} AS row, version FROM (${candidates}) AS records LIMIT -1`
    : sql`SELECT row, version FROM (${candidates}) AS records WHERE ${containsLongTexts(filters)} LIMIT ${pageEnd}`
  const digits = sql.raw(`iif(row IS NULL, '', '%0${digitsOfRow}d')`)
  const found = sql`
    SELECT
      count(*) AS read, count(row) AS matching, max(version) AS last,
      group_concat(printf(${digits}, row), '') AS list
    FROM (${reads})`
  return {
    // An export continues after the cursor's version, so it returns a record again if it changes later.
    with: sql`WITH RECURSIVE ${matching.with}, ${changedBetween(scope, cursor ? { to: range.to } : range)},
      direction AS MATERIALIZED (${direction}),
      found AS MATERIALIZED (${found}),
      page AS MATERIALIZED (
        SELECT ${sliceRows(sql`list`, integer(offset), limit)} AS list FROM found
      )`,
    total: sql`(SELECT matching FROM found)`,
    sortKey: sql`records.version`,
    // A full page continues after its last record. A shorter one continues after the window, or ends with the range.
    next: sql`(SELECT iif(${isShort}, ${endOfWindow}, last) FROM found)`,
    cost: sql`(SELECT iif(${isTooMany}, ${maxRowsRead} + 1, ${cost}) FROM found)`,
    // CROSS JOIN makes VALUES the outer loop, so the records keep its order. NULL avoids look-ups
    // after the last record.
    from: sql`FROM ${sql.raw(rowsUpTo(limit))} AS slot CROSS JOIN records
      ON records.row = CAST(nullif(${sliceRows(sql`(SELECT list FROM page)`, sql`slot.column1`, 1)}, x'') AS INTEGER)`,
  }
}

/**
 * SQL that tests whether going by filters reads fewer rows. It reads the driving term's `count` records. Going by changes
 * reads all `upto - after` changes of the range if it counts the total; a record by filters costs about twice the rows of a
 * change. Without a total, it stops when the page is full. With the `count` records spread evenly over the range, that is after
 * `(upto - after) * pageEnd / count` changes, which is at least `count` if `count * count / pageEnd <= upto - after`.
 */
const isCheaperByFilters = (pageEnd: SQL, counted: boolean): SQL =>
  counted ? sql`2 * count <= upto - after` : sql`count * count / ${pageEnd} <= upto - after`

/** The numbers of changes to go through, or of records that pass the filters to read, within the rows of a request. */
function limitReads(query: PageQuery, { bitmapsOfBlock }: BitmapMatches, counted: boolean) {
  // Reserves rows for the terms, the time search and three reads per record of the page.
  const maxRows = maxRowsRead - 1000 - 3 * query.limit
  // Without a total, the query also reads the changes again to find the window's last one.
  const rowsOfChange = (counted ? 1 : 2) + (isFiltered(query) ? bitmapsOfBlock + 1 : 0)
  // Each record that passes the filters costs its block, its bit, its row and one sorted entry.
  const rowsOfMatch = bitmapsOfBlock + 4
  return {
    maxChanges: Math.min(maxListed, Math.floor(maxRows / rowsOfChange)),
    maxMatches: Math.floor(maxRows / rowsOfMatch),
  }
}

const isFiltered = ({ filters, created }: PageQuery) => filters.length > 0 || created !== undefined

/** Selects columns of the organisation's records of all collections, in order of version; nothing if `direction` is by filters. */
const selectChanges =
  ({ organisationId }: Scope, { upto }: Versions) =>
  (columns: SQL) =>
    sql`SELECT ${columns} FROM records
      WHERE organisation_id = ${organisationId}
        AND version > (SELECT after FROM direction) AND version <= ${upto}
      ORDER BY version`

/** SQL that looks a row of `records` up in the bitmaps of the filters. */
const passesFilters = (query: PageQuery, { selectBlocks }: BitmapMatches): SQL =>
  isFiltered(query)
    ? sql`EXISTS (
        SELECT 1
        FROM (${sql.raw(selectBlocks('(SELECT term FROM driving_term)', `bitmaps.block = records.ordinal / ${blockSize}`))})
        WHERE ${sql.raw(bitOf('records.ordinal'))}
      )`
    : sql`true`

/** Selects the records that pass the filters, in order of version; nothing if `direction` is by changes. */
const selectByFilters = (
  { organisationId, collection }: Scope,
  { selectBlocks }: BitmapMatches,
  { after, upto }: Versions,
): SQL => sql`
  SELECT records.row, records.version, records.document
  FROM (${sql.raw(selectBlocks('(SELECT term FROM direction)', 'true'))})
  CROSS JOIN json_each('[' || ${sql.raw(ordinalsOfBlock)} || ']') AS item
  CROSS JOIN records ON records.ordinal = item.value
    AND organisation_id = ${organisationId} AND records.collection = ${collection}
  WHERE version > ${after} AND version <= ${upto}
  ORDER BY version`

/** SQL for `count` rows of a list from an index on, as bytes: SQLite would count the characters of a text from its start. */
const sliceRows = (list: SQL, index: SQL, count: number): SQL =>
  sql`substr(CAST(${list} AS BLOB), ${integer(digitsOfRow)} * ${index} + 1, ${integer(digitsOfRow * count)})`

/** An integer as SQL text. D1 would bind it as REAL. */
const integer = (number: number) => sql.raw(String(number))
