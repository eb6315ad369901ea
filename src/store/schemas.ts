import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { Kind, Schema } from '../model/schema.ts'
import { schemas } from './tables.ts'

/** The schemas an organisation has, by kind. */
export async function schemasOf(
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
