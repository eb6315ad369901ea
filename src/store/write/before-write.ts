import { sql } from 'drizzle-orm/sql'
import type { Permission } from '../../access/permissions.ts'
import type { Kind } from '../../model/properties/schema.ts'
import { type StoredRecord, schemaColumn, textOrUndefined, toStoredRecord } from '../read/single.ts'
import type { Store } from '../store.ts'
import { type IdempotentRequest, storedResponse } from './idempotency.ts'

/** The records to write, and the related data to read first. */
type ReadBeforeWrite = {
  collection: string
  ids: readonly string[]
  kind?: Kind | undefined
  request?: IdempotentRequest | undefined
  permissions: readonly Permission[]
}

/** The schema and the stored response as JSON text, and the stored records by id. */
type StateBeforeWrite = {
  schema: string | undefined
  response: string | undefined
  records: ReadonlyMap<string, StoredRecord>
}

/** Reads the state before a write, unredacted. Throws 403 if a permission is missing. */
export async function readBeforeWrite(
  store: Store,
  { collection, ids, kind, request, permissions }: ReadBeforeWrite,
): Promise<StateBeforeWrite> {
  const { organisationId } = store
  const { head, rows } = await store.read(
    {
      schema: kind ? schemaColumn(organisationId, kind) : sql`NULL`,
      response: request ? storedResponse(request) : sql`NULL`,
    },
    {
      columns: ['id', 'document', 'version', 'changed'],
      rows: sql`SELECT id, document, version, changed FROM records
        WHERE collection = ${collection} AND organisation_id = ${organisationId}
          AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
    },
    { permissions, collection },
  )
  return {
    schema: textOrUndefined(head.schema),
    response: textOrUndefined(head.response),
    records: new Map(rows.map((row) => [String(row.id), toStoredRecord(row)])),
  }
}
