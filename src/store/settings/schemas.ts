import { sql } from 'drizzle-orm/sql'
import type { Kind, Schema } from '../../model/properties/schema.ts'
import { ofCollection, ofOrganisation } from '../fragments.ts'
import { statement } from '../statement.ts'
import type { Store } from '../store.ts'
import { type Audit, administration } from '../terms.ts'
import { trustedStore } from '../trusted-store.ts'
import { type NewDocument, putDocuments } from '../write/put.ts'

/** The schemas of an organisation by kind. */
export async function readSchemas(
  d1: D1Database,
  organisationId: string,
): Promise<Partial<Record<Kind, Schema>>> {
  const query = sql`SELECT kind, name, fields FROM schemas WHERE ${ofOrganisation({ organisationId })}`
  const { results } = await statement(d1, query).all<{ kind: Kind; name: string; fields: string }>()
  return Object.fromEntries(
    results.map(({ kind, name, fields }) => [kind, { name, fields: JSON.parse(fields) }]),
  )
}

/** Sets the given schemas in one transaction. */
export async function putSchemas(
  d1: D1Database,
  organisationId: string,
  given: Partial<Record<Kind, Schema>>,
): Promise<void> {
  const entries = Object.entries(given) as [Kind, Schema][]
  if (entries.length === 0) return
  const store = trustedStore(d1, organisationId, { by: 'command line' })
  await store.write(
    administration,
    entries.map(([kind, schema]) => upsertSchema(store, kind, schema)),
  )
}

/** SQL that sets a schema. */
export const upsertSchema = ({ organisationId }: Store, kind: Kind, { name, fields }: Schema) =>
  sql`INSERT INTO schemas (organisation_id, kind, name, fields)
    VALUES (${organisationId}, ${kind}, ${name}, ${JSON.stringify(fields)})
    ON CONFLICT (organisation_id, kind)
    DO UPDATE SET name = excluded.name, fields = excluded.fields`

type Replacement = {
  kind: Kind
  /** The schema that must still be stored. */
  before: Schema | undefined
  next: Schema
  /** The changed documents of people. They were read at `version`: the replacement fails if anybody of this kind was written or deleted since. */
  people?: readonly NewDocument[]
  version?: number
  audit: Audit
}

/**
 * Replaces a schema and updates its people in one transaction. Returns false if the schema or a person of
 * its kind changed first.
 */
export async function replaceSchema(
  store: Store,
  { kind, before, next, version, people = [], audit }: Replacement,
): Promise<boolean> {
  const { organisationId, credential } = store
  const isOfKind = sql`${ofOrganisation(store)} AND kind = ${kind}`
  const isNewer = sql`${ofCollection(store, kind, 'written')} AND written.version > ${version}`
  const { refused } = await store.write(
    {
      permissions: ['write'],
      unless: {
        changed: before
          ? sql`NOT EXISTS (SELECT 1 FROM schemas WHERE ${isOfKind}
              AND name = ${before.name} AND fields = ${JSON.stringify(before.fields)})`
          : sql`EXISTS (SELECT 1 FROM schemas WHERE ${isOfKind})`,
        // A person who was deleted or erased in the meantime must not be restored.
        newerPeople:
          version === undefined
            ? undefined
            : sql`EXISTS (
                SELECT 1 FROM records AS written WHERE ${isNewer}
                UNION ALL SELECT 1 FROM deletions AS written WHERE ${isNewer}
              )`,
      },
      audit,
      isInternal: people.length === 0,
    },
    [
      upsertSchema(store, kind, next),
      ...(people.length > 0
        ? [putDocuments({ organisationId, collection: kind }, people, credential.author)]
        : []),
    ],
  )
  return refused === undefined
}
