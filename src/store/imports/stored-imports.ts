import { type SQL, sql } from 'drizzle-orm/sql'
import { ApiError } from '../../model/api-error.ts'
import type { Author } from '../../model/author.ts'
import type { Row } from '../statement.ts'
import type { Store } from '../store.ts'
import type { ImportCounts } from './import-run.ts'

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

/** An import of a file, with the state of its undo. */
export type StoredImport = {
  id: number
  at: string
  /** When it ended; null while it runs, or if it was interrupted. */
  finished: string | null
  collection: string
  /** The file's name; null if it is unknown or was removed with the previous versions. */
  file: string | null
  author: Author | null
  /** The name of the author's key, or null if the key was deleted. */
  key: string | null
  counts: ImportCounts
  /** The last ordinals before the import and, once it ended, after it, by collection; null for an import without marks. */
  ordinals: Record<string, [before: number, after?: number]> | null
  /** The time until which its undo can start; null if the organisation stores no previous versions. */
  undoUntil: string | null
  undo: UndoProgress | null
  /** When the undo was done; null before. */
  undone: string | null
}

const columns = [
  ...['id', 'at', 'finished', 'collection', 'file', 'author', 'key'],
  ...['created', 'updated', 'unchanged', 'rejected', 'ordinals', 'undo_until', 'undo', 'undone'],
]

const selectImports = (organisationId: string, condition: SQL): SQL => sql`
  SELECT imports.id, at, finished, collection, file, author, (
      SELECT api_keys.name || ' (' || prefix || '…)' FROM api_keys
      WHERE api_keys.id = author ->> '$.id' AND api_keys.organisation_id = ${organisationId}
    ), imports.created, updated, unchanged, rejected, ordinals,
    iif(version_days > 0 AND ordinals IS NOT NULL,
      strftime('%Y-%m-%dT%H:%M:%fZ', at, '+' || version_days || ' days'), NULL),
    undo, undone
  FROM organisations CROSS JOIN imports ON imports.organisation_id = organisations.id
  WHERE organisations.id = ${organisationId} AND ${condition}
  ORDER BY imports.id DESC`

/** Imports to list: at most `limit` before the import `before`, of the collections that the credential may see. */
type ImportsPage = { before?: number | undefined; limit: number }

/** Returns an organisation's imports, newest first. Needs the `read` and `write` permissions. */
export const listImports = (
  store: Store,
  { before = Number.MAX_SAFE_INTEGER, limit }: ImportsPage,
): Promise<StoredImport[]> =>
  store.withPolicy(async ({ restrictions: { collections } }) => {
    const isVisible = collections
      ? sql`collection IN (SELECT value FROM json_each(${JSON.stringify(collections)}))`
      : sql`true`
    const { rows } = await store.read(
      {},
      {
        columns,
        rows: sql`${selectImports(store.organisationId, sql`imports.id < ${before} AND ${isVisible}`)}
          LIMIT ${limit}`,
      },
      { permissions: ['read', 'write'], policy: store.policy },
    )
    return rows.map(parseImport)
  })

/** Returns an import. Needs the `read` and `write` permissions; throws 404 for one of a collection that the credential may not see. */
export async function readImport(store: Store, id: number): Promise<StoredImport> {
  const { rows } = await store.read(
    {},
    { columns, rows: selectImports(store.organisationId, sql`imports.id = ${id}`) },
    { permissions: ['read', 'write'] },
  )
  const [found] = rows.map(parseImport)
  if (found && store.policy.allowsCollection(found.collection)) return found
  throw new ApiError('NOT_FOUND', 'There is no import with this importId.')
}

function parseImport(row: Row): StoredImport {
  const text = (name: string) => (row[name] == null ? null : String(row[name]))
  const json = (name: string) => (row[name] == null ? null : JSON.parse(String(row[name])))
  return {
    ...{ id: Number(row.id), at: String(row.at), collection: String(row.collection) },
    ...{ finished: text('finished'), file: text('file'), key: text('key'), author: json('author') },
    counts: {
      ...{ created: Number(row.created), updated: Number(row.updated) },
      ...{ unchanged: Number(row.unchanged), rejected: Number(row.rejected) },
    },
    ...{ ordinals: json('ordinals'), undoUntil: text('undo_until') },
    ...{ undo: json('undo'), undone: text('undone') },
  }
}
