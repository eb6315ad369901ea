import { sql } from 'drizzle-orm/sql'
import type { Author } from '../../model/author.ts'
import type { Kind } from '../../model/properties/schema.ts'
import type { Row } from '../statement.ts'
import type { Store } from '../store.ts'
import { schemaColumn, textOrUndefined } from './single.ts'

/** A previous version of a record: its number and time, and the change that replaced it. */
type PreviousVersion = {
  version: number
  at: string
  change: 'updated' | 'deleted'
  replacedAt: string
  author: Author | null
  /** The name of the author's key, or null if the key was deleted. */
  key: string | null
  /** JSON text, not redacted. */
  document: string
}

type VersionsQuery = { collection: string; id: string; kind?: Kind | undefined }

/**
 * Returns the stored previous versions of a record, newest first, even if it was deleted, with its
 * current document and the schema of people. Nothing is redacted.
 */
export async function readVersions(
  store: Store,
  { collection, id, kind }: VersionsQuery,
  permissions: readonly ('read' | 'write')[] = ['read'],
): Promise<{
  current: string | undefined
  schema: string | undefined
  versions: PreviousVersion[]
}> {
  const { organisationId } = store
  const ofRecord = sql`collection = ${collection} AND id = ${id} AND organisation_id = ${organisationId}`
  const { head, rows } = await store.read(
    {
      current: sql`(SELECT document FROM records WHERE ${ofRecord})`,
      schema: kind ? schemaColumn(organisationId, kind) : sql`NULL`,
    },
    {
      columns: ['version', 'at', 'change', 'replaced_at', 'author', 'key', 'replaced'],
      // Each change knows the document before it, which is the version that the change before made.
      rows: sql`SELECT previous, previous_at, change, at, author, (
          SELECT name || ' (' || prefix || '…)' FROM api_keys
          WHERE id = author ->> '$.id' AND organisation_id = ${organisationId}
        ), replaced
        FROM (
          SELECT *, lag(version) OVER changes AS previous, lag(at) OVER changes AS previous_at
          FROM (
            SELECT version, at, change, author, replaced FROM history WHERE ${ofRecord}
            UNION ALL
            SELECT first_version, created, 'created', NULL, NULL FROM records WHERE ${ofRecord}
          )
          WINDOW changes AS (ORDER BY version)
        )
        WHERE replaced IS NOT NULL ORDER BY version DESC`,
    },
    { permissions, collection },
  )
  return {
    current: textOrUndefined(head.current),
    schema: textOrUndefined(head.schema),
    versions: rows.map(parseVersion),
  }
}

const parseVersion = (row: Row): PreviousVersion => ({
  version: Number(row.version),
  at: String(row.at),
  change: row.change === 'deleted' ? 'deleted' : 'updated',
  replacedAt: String(row.replaced_at),
  author: row.author === null || row.author === undefined ? null : JSON.parse(String(row.author)),
  key: textOrUndefined(row.key) ?? null,
  document: String(row.replaced),
})

/** A record that an operation changed or deleted, with its document before. */
export type ChangedRecord = {
  collection: string
  id: string
  document: string
  /** The version that the operation gave it; null if it deleted the record. */
  version: number | null
  /** Whether the record is still as the operation left it. */
  isUnchanged: boolean
}

/** More records than one deletion or merge changes. */
const maxChanged = 1001

/** Returns the other records that the operation behind a version's replacement changed or deleted. */
export async function readSameOperation(
  store: Store,
  { collection, id }: VersionsQuery,
  { replacedAt, author }: PreviousVersion,
): Promise<ChangedRecord[]> {
  const { organisationId } = store
  const rows = await store.rows(
    {
      columns: ['collection', 'id', 'document', 'version', 'unchanged'],
      rows: sql`SELECT *, version IS (
          SELECT version FROM records WHERE records.collection = changed.collection
            AND records.id = changed.id AND organisation_id = ${organisationId}
        )
        FROM (
          SELECT collection, id, replaced, iif(change = 'deleted', NULL, version) AS version
          FROM history
          WHERE organisation_id = ${organisationId} AND at = ${replacedAt}
            AND replaced IS NOT NULL AND author IS ${author && JSON.stringify(author)}
            AND NOT (collection = ${collection} AND id = ${id})
        ) AS changed
        LIMIT ${sql.raw(String(maxChanged))}`,
    },
    ['read', 'write'],
  )
  return rows.map((row) => ({
    collection: String(row.collection),
    id: String(row.id),
    document: String(row.document),
    version: row.version === null ? null : Number(row.version),
    isUnchanged: row.unchanged === 1,
  }))
}
