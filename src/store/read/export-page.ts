import { type SQL, sql } from 'drizzle-orm'
import type { Row } from '../sql/head-and-rows.ts'

/** Where a pull goes on: after the record of this ordinal, or in order of change of this version, with at most so many records, found in so many blocks of the index, and after so many pages. */
export type ExportCursor = { ordinal: number; limit: number; blocks: number; pages: number }

/** What of a whole collection is read next: the first page, which begins at the offset, or that after a place. */
export type ExportPosition = 'first' | ExportCursor

const firstRecords = 250
const mostRecords = 1000
/** How many characters a page is meant to have; many more only where its last record is long. */
const pageCharacters = 2 ** 20
const mostCharacters = 16 * pageCharacters
/** After so many pages they have doubled: Cloudflare lets a request make 1,000 queries, and a million records must come in one. */
const pagesToDouble = 500

/** How many records the next page of a pull has at most. */
export const exportLimit = (pull: ExportPosition, wanted: number) =>
  Math.min(wanted, pull === 'first' ? firstRecords : pull.limit)

/**
 * SQL for the rows of a page of a pull. A record so long that a page of such would not fit into a
 * Worker's memory is its `place` instead, and begins a page of its own.
 */
export function exportRows(columns: readonly string[], rows: SQL, limit: number): SQL {
  const names = columns.map((column) => sql.identifier(column))
  const lengths = names.map((name) => sql`coalesce(octet_length(${name}), 0)`)
  const tooLong = sql`${limit} > 1 AND ${sql.join(lengths, sql` + `)} > ${mostCharacters / limit}`
  const cells = names.map(
    (name, at) => sql`iif(${tooLong}, ${at === 0 ? sql`place` : sql`NULL`}, ${name})`,
  )
  // Without a limit SQLite would work out what was selected anew where it is used.
  return sql`SELECT ${sql.join(cells, sql`, `)} FROM (${rows} LIMIT -1)`
}

/** The rows of a page of a pull up to one that is too long, and where the pull goes on; `next` is the ordinal of its last record unless it ended the list. */
export function parseExportRows(
  pull: ExportPosition,
  columns: readonly string[],
  rows: readonly Row[],
  next: number | undefined,
): { rows: Row[]; next: ExportCursor | undefined } {
  const [first = ''] = columns
  const pages = pull === 'first' ? 1 : pull.pages + 1
  const long = rows.findIndex((row) => typeof row[first] === 'number')
  if (long >= 0) {
    const ordinal = Number(rows[long]?.[first]) - 1
    return { rows: rows.slice(0, long), next: { ordinal, limit: 1, blocks: 2, pages } }
  }
  return {
    rows: [...rows],
    next: next === undefined ? undefined : placeAt(next, pull, rows, pages),
  }
}

function placeAt(
  ordinal: number,
  pull: ExportPosition,
  rows: readonly Row[],
  pages: number,
): ExportCursor {
  if (rows.length === 0) return { ordinal, limit: exportLimit(pull, mostRecords), blocks: 8, pages }
  const growth = 1 + pages / pagesToDouble
  let characters = 1
  for (const row of rows) for (const cell of Object.values(row)) characters += String(cell).length
  const fitting = Math.min(mostRecords, (pageCharacters * rows.length) / characters)
  const limit = Math.max(1, Math.floor(fitting * growth))
  if (pull === 'first') return { ordinal, limit, blocks: 8, pages }
  // As the records lay in the last page; after a gap that would be too many.
  const likely = 2 + Math.ceil((limit * (ordinal - pull.ordinal)) / 496 / rows.length)
  return { ordinal, limit, blocks: Math.min(likely, 4 * pull.blocks, limit + 1), pages }
}
