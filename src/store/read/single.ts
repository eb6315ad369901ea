import { type SQL, sql } from 'drizzle-orm/sql'
import { type Kind, kinds } from '../../model/properties/schema.ts'
import type { RecordProperties } from '../../model/record-properties.ts'
import {
  bodyOf,
  type Column,
  decodeRow,
  decodeRows,
  expressionsOf,
  flag,
  integer,
  optional,
  type Selected,
  text,
} from '../columns.ts'
import { ofRecord } from '../fragments.ts'
import type { Found, Known, Unchanged } from '../state.ts'
import { headAndRows, type Row } from '../statement.ts'
import type { Store } from '../store.ts'

/** A query for one record and related data. */
export type SingleQuery = Related & { collection: string; id: string }

export type Related = {
  /** The Zod type of a structured collection. */
  record?: RecordProperties | undefined
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
  const result = await store.select({ ...buildSingle(store, query), collection })
  const single = redactSingle(store, toSingle(result), query)
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
    permissions: [kinds[kind].schemaPermission],
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

/** The head and rows that read a single record. */
function buildSingle(
  store: Store,
  { collection, id, schema, withMember, lookElsewhere }: SingleQuery,
) {
  const isElsewhere = sql`EXISTS (SELECT 1 FROM records WHERE collection = ${collection} AND id = ${id})`
  return {
    head: {
      ...(schema && { schema: optional(text(schemaColumn(store.organisationId, schema))) }),
      ...(lookElsewhere && { elsewhere: flag(isElsewhere) }),
    },
    rows: {
      columns: {
        ...storedRecordColumns('records'),
        ...(withMember && { member: memberColumn(store) }),
      },
      // Every request for a record composes this, and nested fragments take longer.
      from: sql`FROM records WHERE organisation_id = ${store.organisationId}
        AND collection = ${collection} AND id = ${id}`,
    },
  }
}

type SingleRows = ReturnType<typeof buildSingle>

/** The result of `buildSingle`. */
const toSingle = ({
  head: { schema, elsewhere = false },
  rows: [row],
}: {
  head: Selected<SingleRows['head']>
  rows: Selected<SingleRows['rows']['columns']>[]
}): Single => {
  if (!row) return { ...emptySingle, schema, elsewhere }
  const { member, ...record } = row
  return { record, schema, member, elsewhere }
}

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
  const { head, rows } = buildSingle(store, single)
  const { query, split } = headAndRows({ exists: sql`1`, ...expressionsOf(head) }, bodyOf(rows))
  const parse = (result: Row[]) => {
    const parts = split(result)
    const decoded = {
      head: decodeRow(head, parts.head),
      rows: decodeRows(rows.columns, parts.rows),
    }
    return redactSingle(store, toSingle(decoded), single)
  }
  return { query, parse }
}

/** The document of a booking's member. */
export const memberColumn = (store: Store): Column<string | undefined> =>
  optional(
    text(sql`(
      SELECT member.document FROM records AS member
      WHERE ${ofRecord(store, { collection: 'members', id: sql`records.member_id` }, 'member')}
    )`),
  )

/** SQL for a person kind's schema as JSON text, `{name, fields}`, or NULL. */
export const schemaColumn = (organisationId: string, kind: Kind | SQL): SQL =>
  sql`(SELECT '{"name":' || json_quote(name) || ',"fields":' || fields || '}' FROM schemas
    WHERE organisation_id = ${organisationId} AND kind = ${kind})`

/** The columns of a StoredRecord. */
export const storedRecordColumns = (table: 'records' | 'booking') => ({
  document: text(sql.raw(`${table}.document`)),
  version: integer(sql.raw(`${table}.version`)),
  changed: text(sql.raw(`${table}.changed`)),
})

export const textOrUndefined = (value: Row[string] | undefined) =>
  value === null || value === undefined ? undefined : String(value)
