import { sql } from 'drizzle-orm/sql'
import type { Permission } from '../../access/permissions.ts'
import { bitmapColumns, ordinals, rowsUpTo } from '../bitmap/bits.ts'
import type { Body, Row, Scope } from '../statement.ts'
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
  const positions = parsePositions(
    await store.rows(selectSortedBlocks(scope, query), permissions),
    query,
  )
  const page = positions.slice(0, query.limit)
  const ordinals = page.map(({ ordinal }) => ordinal)
  const rows = page.length > 0 ? await store.rows(selectRecords(scope, ordinals), permissions) : []
  return {
    records: rows.map(({ id, ordinal, version, document }) => ({
      id: String(id),
      ordinal: Number(ordinal),
      version: Number(version),
      document: String(document),
    })),
    next: positions.length > page.length ? page.at(-1) : undefined,
  }
}

/**
 * Returns SQL for the sorted values, each with the ordinals of one block. Covers one record more
 * than the page.
 */
function selectSortedBlocks(scope: Scope, { field, descending, limit, after }: SortedQuery): Body {
  const [order, beyond] = descending
    ? [sql`DESC`, sql`terms.value <`]
    : [sql`ASC`, sql`terms.value >`]
  const onwards = after
    ? sql`AND ${beyond}= ${after.value} AND (${beyond} ${after.value} OR bitmaps.block >= ${sql.raw(String(Math.floor(after.ordinal / 496)))})`
    : sql``
  return {
    columns: ['value', 'ordinals'],
    // Booleans and long texts are blobs in the index and have no order.
    rows: sql`SELECT value, ${sql.raw(ordinals)} FROM (
      SELECT terms.value, bitmaps.block, ${sql.raw(bitmapColumns.map((column) => `bitmaps.${column}`).join(', '))}
      FROM terms CROSS JOIN bitmaps ON bitmaps.term_id = terms.id
      WHERE terms.organisation_id = ${scope.organisationId} AND terms.collection = ${scope.collection}
        AND terms.field = ${field} AND terms.value < x'' ${onwards}
      ORDER BY terms.value ${order} LIMIT ${sql.raw(String(limit + 2))}
    )`,
  }
}

/** Parses the positions of the page's records, and one more if the list continues. */
function parsePositions(rows: readonly Row[], { limit, after }: SortedQuery): SortedCursor[] {
  return rows
    .flatMap(({ value, ordinals }) =>
      String(ordinals)
        .split(',')
        .map((ordinal) => ({ value: value ?? '', ordinal: Number(ordinal) })),
    )
    .filter(({ value, ordinal }) => value !== after?.value || ordinal > after.ordinal)
    .slice(0, limit + 1)
}

/** Returns SQL for the records with these ordinals, in the given order. */
const selectRecords = (scope: Scope, ordinals: readonly number[]): Body => ({
  columns: ['id', 'ordinal', 'version', 'document'],
  rows: sql`SELECT records.id, records.ordinal, records.version, records.document
    FROM ${sql.raw(rowsUpTo(Math.max(1, ordinals.length)))} AS slot CROSS JOIN records
    ON organisation_id = ${scope.organisationId} AND collection = ${scope.collection}
    AND ordinal = ${JSON.stringify(ordinals)} ->> slot.column1`,
})
