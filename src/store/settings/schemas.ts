import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { Author } from '../../model/author.ts'
import type { Kind, Schema } from '../../model/properties/schema.ts'
import { ofOrganisation } from '../fragments.ts'
import { schemas } from '../tables.ts'
import type { Audit } from '../terms.ts'
import { trustedStore } from '../trusted-store.ts'
import { type NewDocument, putDocuments } from '../write/put.ts'

/** The schemas of an organisation by kind. */
export async function readSchemas(
  d1: D1Database,
  organisationId: string,
): Promise<Partial<Record<Kind, Schema>>> {
  const rows = await drizzle(d1)
    .select()
    .from(schemas)
    .where(eq(schemas.organisationId, organisationId))
  return Object.fromEntries(
    rows.map(({ kind, name, fields }) => [kind, { name, fields: JSON.parse(fields) }]),
  )
}

/** Replaces the given schemas in one statement. */
export async function putSchemas(
  d1: D1Database,
  organisationId: string,
  replaced: Partial<Record<Kind, Schema>>,
): Promise<void> {
  const rows = Object.entries(replaced).map(([kind, { name, fields }]) => ({
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

type Replacement = {
  kind: Kind
  /** The schema that must still be stored. */
  before: Schema | undefined
  next: Schema
  /** The changed documents of people. They were read at `version`: the replacement fails if anybody of this kind was written or deleted since. */
  people?: readonly NewDocument[]
  version?: number
  author: Author
  entry: Audit & { organisationId: string }
}

/**
 * Replaces a schema, updates its people and adds an audit entry in one transaction. Returns whether
 * the organisation has webhooks, or undefined if the schema or a person of its kind changed first.
 */
export async function replaceSchema(
  d1: D1Database,
  { kind, before, next, version, people = [], author, entry }: Replacement,
): Promise<{ followed: boolean } | undefined> {
  const { organisationId } = entry
  const isStored = ({ name, fields }: Schema) => sql`EXISTS (
    SELECT 1 FROM schemas WHERE ${ofOrganisation({ organisationId })} AND kind = ${kind}
      AND name = ${name} AND fields = ${JSON.stringify(fields)}
  )`
  const isNewer = sql`${ofOrganisation({ organisationId })} AND collection = ${kind} AND version > ${version}`
  const store = trustedStore(d1, organisationId, author)
  const { refused } = await store.write(
    {
      permissions: ['write'],
      unless: {
        changed: before
          ? sql`NOT ${isStored(before)}`
          : sql`EXISTS (SELECT 1 FROM schemas WHERE ${ofOrganisation({ organisationId })} AND kind = ${kind})`,
        // A person who was deleted or erased in the meantime must not be restored.
        newerPeople:
          version === undefined
            ? sql`false`
            : sql`EXISTS (
                SELECT 1 FROM records WHERE ${isNewer} UNION ALL SELECT 1 FROM deletions WHERE ${isNewer}
              )`,
      },
      audit: entry,
    },
    [
      sql`INSERT INTO schemas (organisation_id, kind, name, fields)
        VALUES (${organisationId}, ${kind}, ${next.name}, ${JSON.stringify(next.fields)})
        ON CONFLICT (organisation_id, kind)
        DO UPDATE SET name = excluded.name, fields = excluded.fields`,
      ...(people.length > 0
        ? [putDocuments({ organisationId, collection: kind }, people, author)]
        : []),
    ],
  )
  return refused ? undefined : { followed: store.hasWebhooks }
}
