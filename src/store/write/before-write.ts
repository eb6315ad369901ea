import { type SQL, sql } from 'drizzle-orm'
import type { Permission } from '../../access/permissions.ts'
import type { Kind } from '../../model/properties/schema.ts'
import { type StoredRecord, schemaColumn, textOrUndefined, toStoredRecord } from '../read/single.ts'
import type { Body, Row } from '../statement.ts'
import { type IdempotentRequest, storedResponse } from './idempotency.ts'

/** The records to be written, and the related data to read first. */
export type ReadBeforeWrite = {
  collection: string
  ids: readonly string[]
  kind?: Kind | undefined
  request?: IdempotentRequest | undefined
  rights: readonly Permission[]
}

/** The schema of the kind and the stored response as JSON texts, and the stored records by id. */
export type StateBeforeWrite = {
  schema: string | undefined
  before: string | undefined
  kept: ReadonlyMap<string, StoredRecord>
}

/** Returns the head and body that read the state before a write. */
export function buildReadBeforeWrite(
  organisationId: string,
  { collection, ids, kind, request }: ReadBeforeWrite,
): { head: Record<string, SQL>; body: Body } {
  return {
    head: {
      schema: kind ? schemaColumn(organisationId, kind) : sql`NULL`,
      before: request ? storedResponse(request) : sql`NULL`,
    },
    body: {
      columns: ['id', 'document', 'version', 'changed'],
      rows: sql`SELECT id, document, version, changed FROM records
        WHERE collection = ${collection} AND organisation_id = ${organisationId}
          AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
    },
  }
}

/** Parses that head and its rows. */
export const parseStateBeforeWrite = ({
  head,
  rows,
}: {
  head: Row
  rows: Row[]
}): StateBeforeWrite => ({
  schema: textOrUndefined(head.schema),
  before: textOrUndefined(head.before),
  kept: new Map(rows.map((row) => [String(row.id), toStoredRecord(row)])),
})
