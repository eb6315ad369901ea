import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Kind } from '../../model/properties/schema.ts'
import { type Body, headAndRows, type Row } from '../statement.ts'

/** One record to read, with related data. */
export type SingleQuery = Related & { collection: string; id: string }

export type Related = {
  /** The Zod type of a structured collection. */
  record?: z.ZodObject | undefined
  /** The kind of the schema to return. */
  schema?: Kind | undefined
  /** Whether to return the booking's member. */
  withMember?: boolean | undefined
  /** Whether to look for a record with this id in other organisations. */
  lookElsewhere?: boolean | undefined
}

/** A stored record: its document as JSON text, and the version and time of its last change. */
export type StoredRecord = { document: string; version: number; changed: string }

/** The result of a SingleQuery; documents and schema as JSON texts. */
export type Single = {
  kept: StoredRecord | undefined
  schema: string | undefined
  member: string | undefined
  elsewhere: boolean
}

export const emptySingle: Single = {
  kept: undefined,
  schema: undefined,
  member: undefined,
  elsewhere: false,
}

/** Returns the head and body that read a single record. */
export function buildSingle(
  organisationId: string,
  { collection, id, schema, withMember, lookElsewhere }: SingleQuery,
): { head: Record<string, SQL>; body: Body } {
  const member = sql`, (
    SELECT member.document FROM records AS member
    WHERE member.collection = 'members' AND member.id = records.document ->> '$.memberId'
      AND member.organisation_id = ${organisationId}
  ) AS member`
  return {
    head: {
      ...(schema && { schema: schemaColumn(organisationId, schema) }),
      ...(lookElsewhere && {
        elsewhere: sql`EXISTS (SELECT 1 FROM records WHERE collection = ${collection} AND id = ${id})`,
      }),
    },
    body: {
      columns: ['document', 'version', 'changed', ...(withMember ? ['member'] : [])],
      rows: sql`SELECT document, version, changed ${withMember ? member : sql``} FROM records
        WHERE collection = ${collection} AND id = ${id} AND organisation_id = ${organisationId}`,
    },
  }
}

/** Parses that head and its rows. */
export const parseSingle = ({ head, rows: [row] }: { head: Row; rows: Row[] }): Single => ({
  kept: row && toStoredRecord(row),
  schema: textOrUndefined(head.schema),
  member: textOrUndefined(row?.member),
  elsewhere: head.elsewhere === 1,
})

/**
 * Returns the query for a single record, for the end of a batch, and a function that parses its
 * rows.
 */
export function singleStatement(organisationId: string, sought: SingleQuery) {
  const { head, body } = buildSingle(organisationId, sought)
  const { query, split } = headAndRows({ found: sql`1`, ...head }, body)
  return { query, read: (rows: Row[]) => parseSingle(split(rows)) }
}

/** Returns SQL for the schema of a kind as JSON text, `{name, fields}`; or NULL. */
export const schemaColumn = (organisationId: string, kind: Kind): SQL =>
  sql`(SELECT '{"name":' || json_quote(name) || ',"fields":' || fields || '}' FROM schemas
    WHERE organisation_id = ${organisationId} AND kind = ${kind})`

export const toStoredRecord = (row: Row): StoredRecord => ({
  document: String(row.document),
  version: Number(row.version),
  changed: String(row.changed),
})

export const textOrUndefined = (value: Row[string] | undefined) =>
  value === null || value === undefined ? undefined : String(value)
