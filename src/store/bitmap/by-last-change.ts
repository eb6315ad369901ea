import { type SQL, sql } from 'drizzle-orm/sql'
import type { Scope } from '../statement.ts'
import { bitOf, blockSize, ordinals, rowsUpTo } from './bits.ts'
import { hasLongTexts } from './long-texts.ts'
import { type BitmapMatches, maxRowsRead } from './matches.ts'
import { cursorOf, type PageQuery, type PageSql } from './page-query.ts'
import { changedBetween, type TimeRange } from './time-ranges.ts'

/** The maximum number of changes that one page of an export reads. */
const maxChangesOfPage = 10_000

// D1 counts each pass through a table, so one text of at most 2 MB, the longest in D1, lists the
// records by row in twelve digits each. It is cut as bytes, because SQLite counts the characters of
// a text from its start.
const [maxListed, digits] = [160_000, 12]

/**
 * A page of the records that last changed in a time range, in order of change. Reads either
 * the organisation's changes or the records that pass the filters, depending on their number, and
 * stops at the end of the page unless it counts the total.
 */
export function pageByLastChange(
  scope: Scope,
  query: PageQuery,
  range: TimeRange,
  matching: BitmapMatches,
  counted: boolean,
): PageSql {
  const cursor = cursorOf(query)
  const { limit, offset, filters, created } = cursor ? { ...query, offset: 0 } : query
  const end = offset + limit
  const isExport = query.exportPosition !== undefined && offset === 0
  const ofOrganisation = sql`organisation_id = ${scope.organisationId}`
  // An export continues after the cursor's version, so it returns a record again if it changes
  // later.
  const between = changedBetween(scope, cursor ? { to: range.to } : range)
  const after = sql`max(after, ${integer(cursor?.ordinal ?? 0)})`
  const upto = sql`(SELECT upto FROM changed_between)`
  const isFiltered = filters.length > 0 || created !== undefined
  const passesFilters = isFiltered
    ? sql`EXISTS (
        SELECT 1
        FROM (${sql.raw(matching.rows('(SELECT term FROM driver)', `bitmaps.block = records.ordinal / ${blockSize}`))})
        WHERE ${sql.raw(bitOf('records.ordinal'))}
      )`
    : sql`true`
  // Reserves rows for the terms, the time search and three reads per record of the page.
  const budget = maxRowsRead - 1000 - 3 * limit
  // Without a total, the query also reads the changes again to find the window's last one.
  const rowsOfChange = (counted ? 1 : 2) + (isFiltered ? matching.rowsInBlock + 1 : 0)
  const maxChanges = Math.min(maxListed, Math.floor(budget / rowsOfChange))
  // Each record that passes the filters costs its block, its bit, its row and one sorted entry.
  const maxMatching = Math.floor(budget / (matching.rowsInBlock + 4))
  const window = isExport ? Math.min(maxChangesOfPage, maxChanges) : maxChanges
  const changes = (columns: SQL) => sql`SELECT ${columns} FROM records
    WHERE ${ofOrganisation} AND version > (SELECT after FROM direction) AND version <= ${upto}
    ORDER BY version`
  const windowed = sql`(${changes(sql`row, version, collection, ordinal, document`)} LIMIT ${integer(window + 1)}) AS records`
  // Without LIMIT -1, SQLite would evaluate the selected expressions again at each use.
  const isWanted = sql`collection = ${scope.collection} AND ${passesFilters}`
  const changed = sql`
    SELECT * FROM (${
      counted
        ? sql`SELECT iif(${isWanted}, row, NULL) AS row, version, document FROM ${windowed}`
        : sql`SELECT row, version, document FROM ${windowed} WHERE ${isWanted}`
    })
    UNION ALL
    SELECT * FROM (
      SELECT records.row, records.version, records.document
      FROM (${sql.raw(matching.rows('(SELECT term FROM direction)', 'true'))})
      CROSS JOIN json_each('[' || ${sql.raw(ordinals)} || ']') AS item
      CROSS JOIN records ON records.ordinal = item.value
        AND ${ofOrganisation} AND records.collection = ${scope.collection}
      WHERE version > (SELECT ${after} FROM changed_between) AND version <= ${upto}
      ORDER BY version
    )
    LIMIT -1`
  // The last change of a full window. Others may follow it.
  const edge = sql`(${changes(sql`version`)} LIMIT 1 OFFSET ${integer(window)})`
  const isShort = sql`read < ${integer(end)}`
  const isBeyond = isExport ? sql`false` : sql`${isShort} AND ${edge} IS NOT NULL`
  const tooMany = counted ? sql`read > ${integer(maxChanges)}` : isBeyond
  const cost = filters.length > 1 ? sql.raw(`coalesce(${matching.cost}, 0)`) : sql`0`
  return {
    with: sql`WITH RECURSIVE ${matching.with}, ${between},
      direction AS MATERIALIZED (
        SELECT
          iif(by_filters OR ${cost} > ${maxRowsRead}, upto, ${after}) AS after,
          iif(by_filters, term, NULL) AS term
        FROM (
          SELECT *, count <= ${integer(maxMatching)}
            AND ${counted ? sql`2 * count` : sql`count * count / ${integer(end)}`} <= upto - ${after} AS by_filters
          FROM changed_between CROSS JOIN (SELECT term, coalesce(count, 0) AS count FROM driver)
        )
      ),
      walk AS MATERIALIZED (
        SELECT
          count(*) AS read, count(row) AS matching, max(version) AS last,
          group_concat(printf(${sql.raw(`iif(row IS NULL, '', '%0${digits}d')`)}, row), '') AS list
        FROM (${
          // Counts records that do not match too, because D1 reads them.
          counted
            ? sql`SELECT iif(${hasLongTexts(filters)}, row, NULL) AS row, version FROM (${changed}) AS records LIMIT -1`
            : sql`SELECT row, version FROM (${changed}) AS records WHERE ${hasLongTexts(filters)} LIMIT ${integer(end)}`
        })
      ),
      page AS MATERIALIZED (
        SELECT substr(CAST(list AS BLOB), ${integer(digits * offset + 1)}, ${integer(digits * limit)}) AS list
        FROM walk
      )`,
    total: sql`(SELECT matching FROM walk)`,
    sortKey: sql`records.version`,
    next: sql`(SELECT iif(${isShort}, ${edge}, last) FROM walk)`,
    cost: sql`(SELECT iif(${tooMany}, ${maxRowsRead} + 1, ${cost}) FROM walk)`,
    // CROSS JOIN makes VALUES the outer loop, so the records keep its order. NULL avoids look-ups
    // after the last record.
    from: sql`FROM ${sql.raw(rowsUpTo(limit))} AS slot CROSS JOIN records
      ON records.row = CAST(nullif(
        substr((SELECT list FROM page), ${integer(digits)} * slot.column1 + 1, ${integer(digits)}), x''
      ) AS INTEGER)`,
  }
}

/** An integer as SQL text. D1 would bind it as REAL. */
const integer = (number: number) => sql.raw(String(number))
