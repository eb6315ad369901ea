import { type SQL, sql } from 'drizzle-orm/sql'
import type { Filter } from '../../model/filter.ts'
import { documentPasses } from '../fragments.ts'
import type { Scope } from '../statement.ts'
import { blockSize, isLong, ordinalsOfBlock } from './bits.ts'
import { type BitmapMatches, maxRowsBeside, maxRowsRead } from './matches.ts'
import { cursorOf, type PageQuery, type PageSql } from './page-query.ts'

/*
 * Filters with long texts. The index has only the first 256 bytes of a text: it finds the records with this beginning,
 * and SQL compares their documents with the whole text. For `?notes=<300 bytes>` that reads each record with the
 * beginning, so such a page is costly and limited. `driving_term` has the rarest term of the filters. The query goes
 * through its blocks (see matches.ts).
 */

/** Whether a filter names a text of more than 256 bytes. */
export const asksForLongText = ({ values }: Filter) => values.some(isLong)

/** SQL that tests whether a row of `records` contains the long texts of these filters. */
export const containsLongTexts = (filters: readonly Filter[]): SQL =>
  sql.join([sql`true`, ...filters.filter(asksForLongText).map(documentPasses)], sql` AND `)

/** A page for filters with long texts: `matched` has the records that the index finds and that have the whole texts. */
export function buildComparedPage(
  scope: Scope,
  query: PageQuery,
  matching: BitmapMatches,
  long: readonly Filter[],
): PageSql {
  const cursor = cursorOf(query)
  const { limit, offset } = cursor ? { ...query, offset: 0 } : query
  const after = cursor?.ordinal ?? -1
  const block = Math.max(0, Math.floor(after / blockSize))
  const inCollection = sql`organisation_id = ${scope.organisationId} AND collection = ${scope.collection}`
  // The maximum number of rows read for each record: the bitmaps of its block; its bit, its entry in the index by ordinal
  // and the record itself (3); then, in `matched` and sorted (2), for the total, the page and the next cursor (3). If the
  // query could read too many, its condition on the cost makes it read nothing, and the head reports the cost.
  const rowsOfRecord = matching.bitmapsOfBlock + 3 + 3 * 2
  const cost = `(SELECT max(${maxRowsBeside} + ${rowsOfRecord} * count, ${matching.cost ?? '0'}) FROM driving_term)`
  // A page after a cursor belongs to an export, which has no total, so the query stops at the end of the page.
  // Otherwise the total needs all matches.
  const end = cursor ? sql`LIMIT ${limit}` : sql``
  return {
    with: sql`WITH RECURSIVE ${matching.with},
      matched AS MATERIALIZED (
        SELECT records.ordinal
        FROM (${sql.raw(matching.selectBlocks('(SELECT term FROM driving_term)', `${cost} <= ${maxRowsRead} AND bitmaps.block >= ${block}`))})
        CROSS JOIN json_each('[' || ${sql.raw(ordinalsOfBlock)} || ']') AS item
        CROSS JOIN records ON records.ordinal = item.value AND ${inCollection}
        WHERE records.ordinal > ${sql.raw(String(after))} AND ${containsLongTexts(long)}
        ${end}
      )`,
    total: sql`(SELECT count(*) FROM matched)`,
    sortKey: sql`records.ordinal`,
    next: sql`(SELECT ordinal FROM matched ORDER BY ordinal LIMIT 1 OFFSET ${offset + limit - 1})`,
    cost: sql.raw(cost),
    from: sql`FROM (SELECT ordinal FROM matched ORDER BY ordinal LIMIT ${limit} OFFSET ${offset})
      AS matched CROSS JOIN records USING (ordinal)
      WHERE ${inCollection} ORDER BY ordinal`,
  }
}
