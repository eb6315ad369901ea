import { type SQL, sql } from 'drizzle-orm'
import type { Right } from '../model/rights.ts'
import type { Kind } from '../model/schema.ts'
import type { Body, Row } from './head-and-rows.ts'
import { madeBefore, type Repeatable } from './idempotency.ts'
import { type Kept, keptOf, schemaOf, textOrUndefined } from './single.ts'

/** Records that are to be written, and what else to find before. */
export type Before = {
  collection: string
  ids: readonly string[]
  kind?: Kind | undefined
  request?: Repeatable | undefined
  rights: readonly Right[]
}

/** The schema of the kind, what the request did before, both as JSON texts, and the records there are, by id. */
export type FoundBefore = {
  schema: string | undefined
  before: string | undefined
  kept: ReadonlyMap<string, Kept>
}

/** The head and the body that give what there is to know before records are written. */
export function before(
  organisationId: string,
  { collection, ids, kind, request }: Before,
): { head: Record<string, SQL>; body: Body } {
  return {
    head: {
      schema: kind ? schemaOf(organisationId, kind) : sql`NULL`,
      before: request ? madeBefore(request) : sql`NULL`,
    },
    body: {
      columns: ['id', 'document', 'version', 'changed'],
      rows: sql`SELECT id, document, version, changed FROM records
        WHERE collection = ${collection} AND organisation_id = ${organisationId}
          AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
    },
  }
}

/** What such a head and rows say. */
export const foundBefore = ({ head, rows }: { head: Row; rows: Row[] }): FoundBefore => ({
  schema: textOrUndefined(head.schema),
  before: textOrUndefined(head.before),
  kept: new Map(rows.map((row) => [String(row.id), keptOf(row)])),
})
