import { type SQL, sql } from 'drizzle-orm/sql'
import { blockSize } from '../bitmap/bits.ts'
import type { ExportCursor } from '../bitmap/page-query.ts'
import type { Row } from '../statement.ts'

/*
 * The size of the pages that an export reads, one after another, for one response. A page must fit in a Worker's memory
 * and take few queries, so the length of the last page's records estimates how many the next one can have, and their
 * density in the index how many blocks it reads.
 */

const firstRecords = 250
const maxRecords = 1000
/** The number of blocks to read before a density is known. */
const firstBlocks = 8
/** The target size of a page. Only a long last record exceeds it. */
const pageCharacters = 2 ** 20
const maxCharacters = 16 * pageCharacters
/**
 * The number of pages after which the page size has doubled. Cloudflare allows 1,000 queries per
 * request, and one request must export a million records.
 */
const pagesToDouble = 500

/** The maximum number of records of the next page. */
export const exportLimit = (cursor: 'first' | ExportCursor, limit: number) =>
  Math.min(limit, cursor === 'first' ? firstRecords : cursor.limit)

/**
 * SQL for the rows of an export's page. If a page of records of this length would exceed a Worker's memory, a record's
 * first column has its `sort_key`, a number, instead of its value. The page then ends before it, and the next
 * page has only this record.
 */
export function exportRows(columns: readonly string[], rows: SQL, limit: number): SQL {
  const names = columns.map((column) => sql.identifier(column))
  const lengths = names.map((name) => sql`coalesce(octet_length(${name}), 0)`)
  const tooLong = sql`${limit} > 1 AND ${sql.join(lengths, sql` + `)} > ${maxCharacters / limit}`
  const cells = names.map(
    (name, at) => sql`iif(${tooLong}, ${at === 0 ? sql`sort_key` : sql`NULL`}, ${name})`,
  )
  // Without LIMIT, SQLite would evaluate the selected expressions again at each use.
  return sql`SELECT ${sql.join(cells, sql`, `)} FROM (${rows} LIMIT -1)`
}

/**
 * Parses the rows up to the first overlong one, and the next cursor. `next` is the sort number of
 * the last record, unless the list ends there.
 */
export function parseExportRows(
  cursor: 'first' | ExportCursor,
  columns: readonly string[],
  rows: readonly Row[],
  next: number | undefined,
): { rows: Row[]; next: ExportCursor | undefined } {
  const [first = ''] = columns
  const pages = cursor === 'first' ? 1 : cursor.pages + 1
  const long = rows.findIndex((row) => typeof row[first] === 'number')
  if (long >= 0) {
    const ordinal = Number(rows[long]?.[first]) - 1
    return { rows: rows.slice(0, long), next: { ordinal, limit: 1, blocks: 2, pages } }
  }
  return {
    rows: [...rows],
    next: next === undefined ? undefined : nextCursor(next, cursor, rows, pages),
  }
}

function nextCursor(
  ordinal: number,
  cursor: 'first' | ExportCursor,
  rows: readonly Row[],
  pages: number,
): ExportCursor {
  if (rows.length === 0)
    return { ordinal, limit: exportLimit(cursor, maxRecords), blocks: firstBlocks, pages }
  const growth = 1 + pages / pagesToDouble
  let characters = 1
  for (const row of rows) for (const cell of Object.values(row)) characters += String(cell).length
  const fitting = Math.min(maxRecords, (pageCharacters * rows.length) / characters)
  const limit = Math.max(1, Math.floor(fitting * growth))
  if (cursor === 'first') return { ordinal, limit, blocks: firstBlocks, pages }
  // The last page's density overestimates the blocks after a gap, so the estimate has a maximum.
  const likely = 2 + Math.ceil((limit * (ordinal - cursor.ordinal)) / blockSize / rows.length)
  return { ordinal, limit, blocks: Math.min(likely, 4 * cursor.blocks, limit + 1), pages }
}
