import { type SQL, sql } from 'drizzle-orm/sql'
import type * as z from 'zod'
import type { Kind } from '../../model/properties/schema.ts'
import { integer, optional, text } from '../columns.ts'
import type { Found, Known, Unchanged } from '../state.ts'
import { type Body, headAndRows, type QueryResult, type Row } from '../statement.ts'
import type { Store } from '../store.ts'

/** A query for one record and related data. */
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

/** A record's document as JSON text, with the version and time of its last change. */
export type StoredRecord = { document: string; version: number; changed: string }

/** The result of a SingleQuery, with documents and schema as JSON text. */
export type Single = {
  record: StoredRecord | undefined
  schema: string | undefined
  member: string | undefined
  elsewhere: boolean
}

export const emptySingle: Single = {
  record: undefined,
  schema: undefined,
  member: undefined,
  elsewhere: false,
}

/** Reads and redacts one record with related data. */
export async function readSingle(store: Store, query: SingleQuery): Promise<Single> {
  const { collection } = query
  const { head, body } = buildSingle(store.organisationId, query)
  const result = await store.read(head, body, { permissions: ['read'], collection })
  const single = redactSingle(store, parseSingle(result), query)
  if (single.record || single.elsewhere || !query.lookElsewhere) return single
  const elsewhere = await store.hasRowsElsewhere(
    sql`SELECT 1 FROM records WHERE collection = ${collection} AND id = ${query.id}
      AND organisation_id <> ${store.organisationId} LIMIT 1`,
  )
  return { ...single, elsewhere }
}

/** Reads the schema of a person kind as JSON text, `{name, fields}`. Callers who only create members may read the members' schema too. */
export const readVisibleSchema = async (store: Store, kind: Kind): Promise<string | undefined> =>
  (await readSchemaAndState(store, kind)).schema

/** Reads the schema like `readVisibleSchema`, with the organisation's state. */
export async function readSchemaAndState<U extends Unchanged = never>(
  store: Store,
  kind: Kind,
  known?: Known<U>,
): Promise<Found<{ schema: string | undefined }> | NoInfer<U>> {
  const found = await store.select({
    head: { schema: optional(text(schemaColumn(store.organisationId, kind))) },
    permissions: [kind === 'members' ? 'see-member-fields' : 'read'],
    collection: kind,
    known,
  })
  if (found.unchanged) return found
  return { schema: store.policy.redactSchema(kind, found.head.schema), state: found.state }
}

/**
 * Reads the schemas of some person kinds as JSON text, for a caller who may read records. The schema
 * of a hidden collection has no fields. Throws 403 if the caller may not see `collection`.
 */
export async function readVisibleSchemas(
  store: Store,
  kinds: readonly Kind[],
  collection?: string,
): Promise<Partial<Record<Kind, string | undefined>>> {
  const columns = kinds.map((kind) => {
    const schema = schemaColumn(store.organisationId, kind)
    return [kind, optional(text(schema))] as const
  })
  const { head } = await store.select({ head: Object.fromEntries(columns), collection })
  return Object.fromEntries(
    kinds.map((kind) => [kind, store.policy.redactSchema(kind, head[kind])]),
  )
}

/** The head and body that read a single record. */
function buildSingle(
  organisationId: string,
  { collection, id, schema, withMember, lookElsewhere }: SingleQuery,
): { head: Record<string, SQL>; body: Body } {
  return {
    head: {
      ...(schema && { schema: schemaColumn(organisationId, schema) }),
      ...(lookElsewhere && {
        elsewhere: sql`EXISTS (SELECT 1 FROM records WHERE collection = ${collection} AND id = ${id})`,
      }),
    },
    body: {
      columns: ['document', 'version', 'changed', ...(withMember ? ['member'] : [])],
      rows: sql`SELECT document, version, changed ${withMember ? sql`, ${memberColumn(organisationId)}` : sql``} FROM records
        WHERE collection = ${collection} AND id = ${id} AND organisation_id = ${organisationId}`,
    },
  }
}

/** Parses the result of `buildSingle`. */
const parseSingle = ({ head, rows: [row] }: QueryResult): Single => ({
  record: row && toStoredRecord(row),
  schema: textOrUndefined(head.schema),
  member: textOrUndefined(row?.member),
  elsewhere: head.elsewhere === 1,
})

/** Redacts a single record and its related data. */
function redactSingle(
  store: Store,
  single: Single,
  { collection, record, schema: kind }: SingleQuery,
): Single {
  const { policy } = store
  const { record: stored, schema, member } = single
  const isVisible = stored && policy.allowsRecord(collection, stored.document)
  const redact = record && policy.redactor(collection, () => record)
  if (isVisible) store.countReturned(collection, 1)
  return {
    ...single,
    record: isVisible
      ? { ...stored, document: redact?.(stored.document) ?? stored.document }
      : undefined,
    schema: kind && policy.redactSchema(kind, schema),
    member: record && policy.visibleMember(member),
  }
}

/**
 * The query for a single record as the last statement of a transaction, and a function that
 * parses and redacts its rows.
 */
export function buildSingleStatement(store: Store, single: SingleQuery) {
  const { head, body } = buildSingle(store.organisationId, single)
  const { query, split } = headAndRows({ exists: sql`1`, ...head }, body)
  return { query, parse: (rows: Row[]) => redactSingle(store, parseSingle(split(rows)), single) }
}

/** SQL for the document of a booking's member. */
export const memberColumn = (organisationId: string): SQL => sql`(
  SELECT member.document FROM records AS member
  WHERE member.collection = 'members' AND member.id = records.member_id
    AND member.organisation_id = ${organisationId}
) AS member`

/** SQL for a person kind's schema as JSON text, `{name, fields}`, or NULL. */
export const schemaColumn = (organisationId: string, kind: Kind | SQL): SQL =>
  sql`(SELECT '{"name":' || json_quote(name) || ',"fields":' || fields || '}' FROM schemas
    WHERE organisation_id = ${organisationId} AND kind = ${kind})`

/** The columns of a StoredRecord. */
export const storedRecordColumns = (table: string) => ({
  document: text(sql`${sql.identifier(table)}.document`),
  version: integer(sql`${sql.identifier(table)}.version`),
  changed: text(sql`${sql.identifier(table)}.changed`),
})

const toStoredRecord = (row: Row): StoredRecord => ({
  document: String(row.document),
  version: Number(row.version),
  changed: String(row.changed),
})

export const textOrUndefined = (value: Row[string] | undefined) =>
  value === null || value === undefined ? undefined : String(value)
