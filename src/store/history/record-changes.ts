import { sql } from 'drizzle-orm/sql'
import type { Author } from '../../model/author.ts'
import { textOrUndefined } from '../read/single.ts'
import type { Row } from '../statement.ts'
import type { Store } from '../store.ts'

/** A change of a record with the documents before and after it, as JSON text without redaction. */
export type RecordChange = {
  version: number
  at: string
  change: 'created' | 'updated' | 'deleted' | 'merged'
  author: Author | null
  /** The name of the author's key, or null if the key was deleted. */
  key: string | null
  /** The names of the changed fields. */
  fields: string[]
  /** Undefined if the document is no longer stored. */
  before: string | undefined
  after: string | undefined
  /** The person who was merged into this one; `document` is theirs while it can be restored. */
  merged: MergedPerson | undefined
}

type MergedPerson = {
  id: string
  document: string | undefined
  /** Whether this was the last change of the person, so that nobody has restored them since. */
  isLast: boolean
}

type StoredChange = Omit<RecordChange, 'after'>

/**
 * Returns the last 50 changes of a record, newest first, even if it was deleted, with its current
 * document and for how many days documents are stored. Reads at most four rows for each change and
 * merge.
 */
export async function readRecordChanges(
  store: Store,
  collection: string,
  id: string,
): Promise<{ current: string | undefined; changes: RecordChange[]; versionDays: number }> {
  const { organisationId } = store
  const ofRecord = sql`collection = ${collection} AND id = ${id} AND organisation_id = ${organisationId}`
  const { head, rows } = await store.read(
    {
      current: sql`(SELECT document FROM records WHERE ${ofRecord})`,
      days: sql`(SELECT version_days FROM organisations WHERE id = ${organisationId})`,
    },
    {
      columns: [
        ...['version', 'at', 'change', 'author', 'fields', 'replaced', 'key'],
        ...['merged_id', 'merged_is_last'],
      ],
      rows: sql`SELECT version, at, change, author, fields, replaced, (
          SELECT name || ' (' || prefix || '…)' FROM api_keys
          WHERE id = author ->> '$.id' AND organisation_id = ${organisationId}
        ), merged_id, merged_id IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM records WHERE records.collection = ${collection}
            AND records.id = merged_id AND organisation_id = ${organisationId}
        ) AND version = (
          SELECT max(history.version) FROM history WHERE history.collection = ${collection}
            AND history.id = merged_id AND organisation_id = ${organisationId}
        )
        FROM (
          SELECT version, at, change, author, fields, replaced, NULL AS merged_id FROM history
          WHERE ${ofRecord}
          UNION ALL
          SELECT first_version, created, 'created', created_by, '[]', NULL, NULL FROM records
          WHERE ${ofRecord}
          UNION ALL
          SELECT * FROM (
            SELECT version, at, 'merged', author, '[]', replaced, id FROM history
            WHERE organisation_id = ${organisationId} AND collection = ${collection}
              AND merged_into = ${id}
            LIMIT 50
          )
        ) ORDER BY version DESC`,
    },
    { permissions: ['read'], collection },
  )
  const current = textOrUndefined(head.current)
  const changes = addDocumentsAfter(joinMerges(rows.map(parseChange)), current)
  return { current, changes, versionDays: Number(head.days) }
}

const parseChange = (row: Row): StoredChange => ({
  version: Number(row.version),
  at: String(row.at),
  change: row.change as RecordChange['change'],
  author: row.author === null ? null : JSON.parse(String(row.author)),
  key: textOrUndefined(row.key) ?? null,
  fields: JSON.parse(String(row.fields)),
  before: row.merged_id === null ? textOrUndefined(row.replaced) : undefined,
  merged:
    row.merged_id === null
      ? undefined
      : {
          id: String(row.merged_id),
          document: textOrUndefined(row.replaced),
          isLast: row.merged_is_last === 1,
        },
})

/** Joins a merge with the change that it made to the person who stays: both have the same time. */
function joinMerges(changes: readonly StoredChange[]): StoredChange[] {
  const merges = new Map(
    changes.filter(({ merged }) => merged).map(({ at, merged }) => [at, merged]),
  )
  const updated = new Set(changes.filter(({ merged }) => !merged).map(({ at }) => at))
  return changes
    .filter(({ at, merged }) => !merged || !updated.has(at))
    .map((change) =>
      merges.has(change.at) && change.change === 'updated'
        ? { ...change, change: 'merged', merged: merges.get(change.at) }
        : change,
    )
}

/** Adds the document after each change: the document before the next one, or the current one. */
function addDocumentsAfter(
  changes: readonly StoredChange[],
  current: string | undefined,
): RecordChange[] {
  let after = current
  return changes.map((change) => {
    const withDocument = { ...change, after }
    if (change.change !== 'merged' || change.fields.length > 0) after = change.before
    return withDocument
  })
}
