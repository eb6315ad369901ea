import { sql } from 'drizzle-orm/sql'
import type { Permission } from '../../access/permissions.ts'
import type { Kind } from '../../model/properties/schema.ts'
import { optional, text } from '../columns.ts'
import { ofCollection } from '../fragments.ts'
import { type StoredRecord, schemaColumn, storedRecordColumns } from '../read/single.ts'
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
  const { head, rows } = await store.select({
    head: {
      schema: optional(text(kind ? schemaColumn(store.organisationId, kind) : sql`NULL`)),
      response: optional(text(request ? storedResponse(request) : sql`NULL`)),
    },
    rows: {
      columns: { id: text(sql`id`), ...storedRecordColumns('records') },
      from: sql`FROM records WHERE ${ofCollection(store, collection)}
          AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
    },
    permissions,
    collection,
  })
  return { ...head, records: new Map(rows.map(({ id, ...record }) => [id, record])) }
}
