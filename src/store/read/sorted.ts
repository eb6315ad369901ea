import { sql } from 'drizzle-orm/sql'
import type { Permission } from '../../access/permissions.ts'
import { bitmapColumns, blockSize, ordinalsOfBlock, rowsUpTo } from '../bitmap/bits.ts'
import { integer, scalar, text } from '../columns.ts'
import { ofCollection } from '../fragments.ts'
import type { Scope } from '../statement.ts'
import type { Store } from '../store.ts'

/** A page of records sorted by a field, from the start or after a cursor. */
type SortedQuery = {
  field: string
  descending: boolean
  limit: number
  after?: SortedCursor | undefined
}

/**
 * A record's position in that order: its value, then its ordinal among records with the same value.
 */
export type SortedCursor = { value: string | number; ordinal: number }

/**
 * Reads a page of the records with a value in a field, sorted by it. Returns the next cursor unless
 * the list ends there.
 */
export async function readSortedRecords(
  store: Store,
  collection: string,
  query: SortedQuery,
  permissions: readonly Permission[] = ['read'],
) {
  const scope = { organisationId: store.organisationId, collection }
  const blocks = await store.select({ rows: sortedBlocks(scope, query), permissions })
  const positions = parsePositions(blocks.rows, query)
  const page = positions.slice(0, query.limit)
  const ordinals = page.map(({ ordinal }) => ordinal)
  const { rows } =
    page.length > 0
      ? await store.select({ rows: recordsAt(scope, ordinals), permissions })
      : { rows: [] }
  return {
    records: rows,
    next: positions.length > page.length ? page.at(-1) : undefined,
  }
}

/** The sorted values, each with the ordinals of one block. Covers one record more than the page. */
function sortedBlocks(scope: Scope, { field, descending, limit, after }: SortedQuery) {
  const order = sql.raw(descending ? 'DESC' : 'ASC')
  const beyond = sql.raw(descending ? 'terms.value <' : 'terms.value >')
  const onwards = after
    ? sql`AND ${beyond}= ${after.value} AND (${beyond} ${after.value} OR bitmaps.block >= ${sql.raw(String(Math.floor(after.ordinal / blockSize)))})`
    : sql``
  return {
    columns: { value: scalar(sql`value`), ordinals: text(sql.raw(ordinalsOfBlock)) },
    // Booleans and long texts are blobs in the index and have no order.
    from: sql`FROM (
      SELECT terms.value, bitmaps.block, ${sql.raw(bitmapColumns.map((column) => `bitmaps.${column}`).join(', '))}
      FROM terms CROSS JOIN bitmaps ON bitmaps.term_id = terms.id
      WHERE ${ofCollection(scope, scope.collection, 'terms')}
        AND terms.field = ${field} AND terms.value < x'' ${onwards}
      ORDER BY terms.value ${order} LIMIT ${sql.raw(String(limit + 2))}
    )`,
  }
}

type SortedBlock = { value: string | number | null; ordinals: string }

/** Parses the positions of the page's records, and one more if the list continues. */
function parsePositions(
  rows: readonly SortedBlock[],
  { limit, after }: SortedQuery,
): SortedCursor[] {
  return rows
    .flatMap(({ value, ordinals }) =>
      ordinals.split(',').map((ordinal) => ({ value: value ?? '', ordinal: Number(ordinal) })),
    )
    .filter(({ value, ordinal }) => value !== after?.value || ordinal > after.ordinal)
    .slice(0, limit + 1)
}

/** The records with these ordinals, in the given order. */
const recordsAt = (scope: Scope, ordinals: readonly number[]) => ({
  columns: {
    id: text(sql`records.id`),
    ordinal: integer(sql`records.ordinal`),
    version: integer(sql`records.version`),
    document: text(sql`records.document`),
  },
  from: sql`FROM ${sql.raw(rowsUpTo(ordinals.length))} AS slot CROSS JOIN records
    ON ${ofCollection(scope, scope.collection)}
    AND ordinal = ${JSON.stringify(ordinals)} ->> slot.column1`,
})
