import { sql } from 'drizzle-orm/sql'
import type { Store } from '../store.ts'

/** A record's document as JSON text, without redaction. */
type NamedDocument = {
  collection: string
  id: string
  document: string
  isDeleted: boolean
}

/**
 * Returns the documents of records, for their names: of a deleted one while it can be restored.
 * Reads at most two rows for each record.
 */
export async function readDocuments(
  store: Store,
  records: readonly { collection: string; id: string }[],
): Promise<NamedDocument[]> {
  if (records.length === 0) return []
  const { organisationId } = store
  const [collection, id] = [sql`named.value ->> '$.collection'`, sql`named.value ->> '$.id'`]
  const keys = JSON.stringify(records.map(({ collection, id }) => ({ collection, id })))
  const rows = await store.rows({
    columns: ['collection', 'id', 'document', 'deleted'],
    rows: sql`SELECT ${collection}, ${id},
        coalesce(records.document, history.replaced) AS document, records.row IS NULL
      FROM json_each(${keys}) AS named
      LEFT JOIN records ON records.organisation_id = ${organisationId}
        AND records.collection = ${collection} AND records.id = ${id}
      LEFT JOIN history ON records.row IS NULL AND history.organisation_id = ${organisationId}
        AND history.collection = ${collection} AND history.id = ${id}
        AND history.version = (
          SELECT max(version) FROM history WHERE organisation_id = ${organisationId}
            AND history.collection = ${collection} AND history.id = ${id}
        )
      WHERE coalesce(records.document, history.replaced) IS NOT NULL`,
  })
  return rows.map((row) => ({
    ...{ collection: String(row.collection), id: String(row.id) },
    ...{ document: String(row.document), isDeleted: row.deleted === 1 },
  }))
}
