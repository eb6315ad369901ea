import { sql } from 'drizzle-orm/sql'
import { flag, text } from '../columns.ts'
import { lastChangeOf, ofRecord } from '../fragments.ts'
import type { Store } from '../store.ts'

/** A record's document as JSON text, without redaction. */
type NamedDocument = {
  collection: string
  id: string
  document: string
  isDeleted: boolean
}

/**
 * The documents of records, for their names: of a deleted one while it can be restored.
 * Reads at most two rows for each record.
 */
export async function readDocuments(
  store: Store,
  records: readonly { collection: string; id: string }[],
): Promise<NamedDocument[]> {
  if (records.length === 0) return []
  const collection = sql`named.value ->> '$.collection'`
  const id = sql`named.value ->> '$.id'`
  const keys = JSON.stringify(records.map(({ collection, id }) => ({ collection, id })))
  const { rows } = await store.select({
    rows: {
      columns: {
        collection: text(collection),
        id: text(id),
        document: text(sql`coalesce(records.document, history.replaced)`),
        isDeleted: flag(sql`records.row IS NULL`),
      },
      from: sql`FROM json_each(${keys}) AS named
        LEFT JOIN records ON ${ofRecord(store, { collection, id })}
        LEFT JOIN history ON records.row IS NULL AND ${ofRecord(store, { collection, id }, 'history')}
          AND history.version = ${lastChangeOf(store, { collection, id })}
        WHERE coalesce(records.document, history.replaced) IS NOT NULL`,
    },
  })
  return rows
}
