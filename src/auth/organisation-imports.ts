import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { ApiError } from '../model/api-error.ts'
import type { Kind, Schema } from '../model/schema.ts'
import { inTime } from '../platform/in-time.ts'
import { audited } from '../store/audit.ts'
import { recordsInChunks } from '../store/chunks.ts'
import { keepMapping, keptMapping } from '../store/mappings.ts'
import { schemas } from '../store/tables.ts'

/** What importing a file as it comes keeps of one organisation, and of no other, beside its records. */
export type OrganisationImports = ReturnType<typeof organisationImports>

/** How files were read, by the digest of their headings, and the fields that `by` adds to the schemas for them. */
export const organisationImports = (d1: D1Database, organisationId: string, by: string) => ({
  mapping: (headings: string) => inTime(keptMapping(d1, { organisationId, headings })),
  keepMapping: (headings: string, mapping: string) =>
    inTime(keepMapping(d1, { organisationId, headings }, mapping)),
  /** The forms there are, as JSON texts. */
  async forms(): Promise<string[]> {
    const forms = await Array.fromAsync(recordsInChunks(d1, organisationId, 'forms', 100))
    return forms.flat().map(({ document }) => document)
  },
  /** Keeps a schema with more fields than the one before; 409 where that is no longer the schema. */
  async extendSchema(kind: Kind, schema: Schema, before: Schema | undefined): Promise<void> {
    const db = drizzle(d1)
    const kept = sql`SELECT 1 FROM ${schemas} WHERE organisation_id = ${organisationId}
      AND kind = ${kind}`
    const isAsBefore = before
      ? sql`EXISTS (${kept} AND fields = ${JSON.stringify(before.fields)})`
      : sql`NOT EXISTS (${kept})`
    const fields = JSON.stringify(schema.fields)
    const added = schema.fields.length - (before?.fields.length ?? 0)
    const act = `added ${added === 1 ? 'a field' : `${added} fields`} to schema`
    const [, rows] = await inTime(
      db.batch([
        audited(db, { organisationId, actor: by, act, target: kind }, isAsBefore),
        db
          .insert(schemas)
          .select(
            sql`SELECT ${organisationId}, ${kind}, ${schema.name}, ${fields} WHERE ${isAsBefore}`,
          )
          .onConflictDoUpdate({
            target: [schemas.organisationId, schemas.kind],
            set: { name: sql`excluded.name`, fields: sql`excluded.fields` },
          })
          .returning({ kind: schemas.kind }),
      ]),
    )
    if (rows.length > 0) return
    throw new ApiError(
      'CONFLICT',
      `Somebody else changed the schema of ${kind} meanwhile: look again at what would happen.`,
    )
  },
})
