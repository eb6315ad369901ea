import { type SQL, sql } from 'drizzle-orm/sql'
import { ApiError } from '../../model/api-error.ts'
import { collectionNames } from '../../model/collection.ts'
import { integer, json, nullable, type Selected, text } from '../columns.ts'
import { ofCollection } from '../fragments.ts'
import { authorColumns } from '../history/changes.ts'
import { type Scope, statement } from '../statement.ts'
import type { Store } from '../store.ts'
import { originColumns } from './import-columns.ts'
import type { ImportCounts } from './running-import.ts'

/**
 * A position among the affected records: first the updated ones by time and version, then the created
 * ones of each collection by ordinal, records that refer to others first.
 */
export type AffectedCursor =
  | { collection: null; at: string; version: number }
  | { collection: string; ordinal: number }

/**
 * The state of the undo of an import: where it continues, how many records it restored and deleted,
 * and how many it left. Without a cursor it is done.
 */
export type UndoProgress = {
  cursor: AffectedCursor | null
  /** Whether it goes through the updated records a second time, because deleted ones were in their way. */
  isSecondPass: boolean
  restored: number
  deleted: number
  left: { updated: number; created: number }
}

/** The last ordinals of a collection before an import and, once it ended, after it. */
type Ordinals = [before: number, after?: number]

const columnsOf = (store: Store) => ({
  id: integer(sql`imports.id`),
  at: text(sql`at`),
  /** When it ended; null while it runs, or if it was interrupted. */
  finished: nullable(text(sql`finished`)),
  ...originColumns,
  ...authorColumns(store),
  created: integer(sql`imports.created`),
  updated: integer(sql`updated`),
  unchanged: integer(sql`unchanged`),
  rejected: integer(sql`rejected`),
  /** By collection; null for an import without marks. */
  ordinals: nullable(json<Record<string, Ordinals>>(sql`ordinals`)),
  /** The time until which its undo can start; null if the organisation stores no previous versions. */
  undoUntil: nullable(
    text(sql`iif(version_days > 0 AND ordinals IS NOT NULL,
      strftime('%Y-%m-%dT%H:%M:%fZ', at, '+' || version_days || ' days'), NULL)`),
  ),
  undo: nullable(json<UndoProgress>(sql`undo`)),
  /** When the undo was done; null before. */
  undone: nullable(text(sql`undone`)),
})

type ImportsRow = Selected<ReturnType<typeof columnsOf>>

/** An import of a file, a bulk edit or a bulk deletion, with the state of its undo. */
export type StoredImport = Omit<ImportsRow, keyof ImportCounts> & { counts: ImportCounts }

const fromImports = ({ organisationId }: Store, condition: SQL): SQL => sql`
  FROM organisations CROSS JOIN imports ON imports.organisation_id = organisations.id
  WHERE organisations.id = ${organisationId} AND ${condition}
  ORDER BY imports.id DESC`

/** Imports to list: at most `limit` before the import `before`, of the collections that the credential may see. */
type ImportsPage = { before?: number | undefined; limit: number }

/** An organisation's imports, newest first. Needs the `read` and `write` permissions. */
export const listImports = (
  store: Store,
  { before = Number.MAX_SAFE_INTEGER, limit }: ImportsPage,
): Promise<StoredImport[]> =>
  store.withPolicy(async (policy) => {
    const visible = collectionNames.filter((name) => policy.allowsCollection(name))
    const isVisible = policy.hidesCollections
      ? sql`collection IN (SELECT value FROM json_each(${JSON.stringify(visible)}))`
      : sql`true`
    const { rows } = await store.select({
      rows: {
        columns: columnsOf(store),
        from: sql`${fromImports(store, sql`imports.id < ${before} AND ${isVisible}`)} LIMIT ${limit}`,
      },
      permissions: ['read', 'write'],
      policy,
    })
    return rows.map(toImport)
  })

/** Whether somebody has imported a file of a collection. */
export async function hasImports(d1: D1Database, scope: Scope): Promise<boolean> {
  const query = sql`SELECT 1 FROM imports WHERE ${ofCollection(scope, scope.collection, 'imports')}
    AND edited IS NULL AND deleted IS NULL`
  return (await statement(d1, query).first()) !== null
}

/** An import. Needs the `read` and `write` permissions; throws 404 for one of a collection that the credential may not see. */
export async function readImport(store: Store, id: number): Promise<StoredImport> {
  const { rows } = await store.select({
    rows: { columns: columnsOf(store), from: fromImports(store, sql`imports.id = ${id}`) },
    permissions: ['read', 'write'],
  })
  const [found] = rows.map(toImport)
  if (found && store.policy.allowsCollection(found.collection)) return found
  throw new ApiError('NOT_FOUND', 'There is no import with this importId.')
}

const toImport = ({
  created,
  updated,
  unchanged,
  rejected,
  ...stored
}: ImportsRow): StoredImport => ({
  ...stored,
  counts: { created, updated, unchanged, rejected },
})
