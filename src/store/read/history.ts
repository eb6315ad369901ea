import { sql } from 'drizzle-orm/sql'
import type { Author } from '../../model/author.ts'
import type { Store } from '../store.ts'

/** An entry of a record's history, with the names of the changed fields. */
type HistoryEntry = {
  at: string
  change: 'created' | 'updated' | 'deleted'
  author: Author | null
  /** The name of the author's key, or null if the key was deleted. */
  key: string | null
  fields: string[]
}

/** Returns the last 50 changes of a record, newest first, even if it was deleted (additions 5). */
export async function listHistory(
  store: Store,
  collection: string,
  id: string,
): Promise<HistoryEntry[]> {
  const { organisationId } = store
  const ofRecord = sql`collection = ${collection} AND id = ${id} AND organisation_id = ${organisationId}`
  const rows = await store.rows({
    columns: ['at', 'change', 'author', 'fields', 'key'],
    rows: sql`SELECT at, change, author, fields, (
        SELECT name || ' (' || prefix || '…)' FROM api_keys
        WHERE id = author ->> '$.id' AND organisation_id = ${organisationId}
      )
      FROM (
        SELECT version, at, change, author, fields FROM history WHERE ${ofRecord}
        UNION ALL
        SELECT first_version, created, 'created', created_by, '[]' FROM records WHERE ${ofRecord}
        ORDER BY version DESC
      )`,
  })
  return rows.map(({ at, change, author, fields, key }) => ({
    at: String(at),
    change: change as HistoryEntry['change'],
    author: author === null ? null : JSON.parse(String(author)),
    key: key === null ? null : String(key),
    fields: JSON.parse(String(fields)),
  }))
}
