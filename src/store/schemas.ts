import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { Author } from '../model/author.ts'
import type { Kind, Schema } from '../model/schema.ts'
import { type AuditEntry, auditStatement } from './audit-log.ts'
import { statement } from './sql/statement.ts'
import { schemas } from './sql/tables.ts'
import { hasWebhooks } from './write/has-webhooks.ts'
import { type NewDocument, putStatement } from './write/put.ts'

/** The schemas an organisation has, by kind. */
export async function readSchemas(
  d1: D1Database,
  organisationId: string,
): Promise<Partial<Record<Kind, Schema>>> {
  const kept = await drizzle(d1)
    .select()
    .from(schemas)
    .where(eq(schemas.organisationId, organisationId))
  return Object.fromEntries(
    kept.map(({ kind, name, fields }) => [kind, { name, fields: JSON.parse(fields) }]),
  )
}

/** Keeps the schemas given, each in place of the one its kind had; all or none. */
export async function putSchemas(
  d1: D1Database,
  organisationId: string,
  given: Partial<Record<Kind, Schema>>,
): Promise<void> {
  const rows = Object.entries(given).map(([kind, { name, fields }]) => ({
    organisationId,
    kind: kind as Kind,
    name,
    fields: JSON.stringify(fields),
  }))
  if (rows.length === 0) return
  await drizzle(d1)
    .insert(schemas)
    .values(rows)
    .onConflictDoUpdate({
      target: [schemas.organisationId, schemas.kind],
      set: { name: sql`excluded.name`, fields: sql`excluded.fields` },
    })
}

/** A schema to be kept in place of another, and what goes with it. */
export type Replacement = {
  kind: Kind
  before: Schema | undefined
  next: Schema
  /** The version after which nobody of this kind may have been written or deleted. */
  version: number
  /** People as they are then. */
  people: readonly NewDocument[]
  author: Author
  act: AuditEntry
}

/** Keeps a schema in place of another, people as they are then, and what was done, all or nothing, and tells whether webhooks follow the organisation; undefined where the schema or somebody of its kind is another by now, or is gone. */
export async function replaceSchema(
  d1: D1Database,
  { kind, before, next, version, people, author, act }: Replacement,
): Promise<{ followed: boolean } | undefined> {
  const { organisationId } = act
  const isSchema = ({ name, fields }: Schema) => sql`EXISTS (
    SELECT 1 FROM schemas WHERE organisation_id = ${organisationId} AND kind = ${kind}
      AND name = ${name} AND fields = ${JSON.stringify(fields)}
  )`
  const isNewer = sql`organisation_id = ${organisationId} AND version > ${version} AND collection = ${kind}`
  // Whoever was deleted meanwhile, or erased, must not come back.
  const nobodyNewer = sql`NOT EXISTS (
    SELECT 1 FROM records WHERE ${isNewer} UNION ALL SELECT 1 FROM deletions WHERE ${isNewer}
  )`
  const isAsBefore = before
    ? isSchema(before)
    : sql`NOT EXISTS (SELECT 1 FROM schemas WHERE organisation_id = ${organisationId} AND kind = ${kind})`
  const [, kept] = await d1.batch<{ followed: number }>([
    auditStatement(d1, act, sql`${isAsBefore} AND ${nobodyNewer}`),
    statement(
      d1,
      sql`INSERT INTO schemas (organisation_id, kind, name, fields)
        SELECT ${organisationId}, ${kind}, ${next.name}, ${JSON.stringify(next.fields)}
        WHERE ${isAsBefore} AND ${nobodyNewer}
        ON CONFLICT (organisation_id, kind)
        DO UPDATE SET name = excluded.name, fields = excluded.fields
        RETURNING ${hasWebhooks(organisationId)} AS followed`,
    ),
    ...(people.length > 0
      ? [
          putStatement(
            d1,
            { organisationId, collection: kind },
            people,
            author,
            sql`${isSchema(next)} AND ${nobodyNewer}`,
          ),
        ]
      : []),
  ])
  const [row] = kept?.results ?? []
  return row && { followed: row.followed === 1 }
}
