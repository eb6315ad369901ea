import { sql } from 'drizzle-orm/sql'
import type { Author } from '../../model/author.ts'
import { enumeration, json, nullable, text } from '../columns.ts'
import { keyNameOf, ofRecord } from '../fragments.ts'
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

/** Reads the last 50 changes of a record, newest first, even if it was deleted. */
export async function listHistory(
  store: Store,
  collection: string,
  id: string,
): Promise<HistoryEntry[]> {
  const record = { collection, id }
  const { rows } = await store.select({
    rows: {
      columns: {
        at: text(sql`at`),
        change: enumeration<HistoryEntry['change']>(sql`change`),
        author: nullable(json<Author>(sql`author`)),
        key: nullable(text(keyNameOf(store, sql`author`))),
        fields: json<string[]>(sql`fields`),
      },
      from: sql`FROM (
        SELECT version, at, change, author, fields FROM history
        WHERE ${ofRecord(store, record, 'history')}
        UNION ALL
        SELECT first_version, created, 'created', created_by, '[]' FROM records
        WHERE ${ofRecord(store, record)}
        ORDER BY version DESC
      )`,
    },
  })
  return rows
}
