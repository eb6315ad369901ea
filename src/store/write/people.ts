import { and, eq, type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { Author } from '../../model/author.ts'
import { isSameJson } from '../../model/json.ts'
import type { Kind } from '../../model/properties/schema.ts'
import type { ChunkRecord } from '../read/chunks.ts'
import { schemaColumn, textOrUndefined } from '../read/single.ts'
import type { Body, Row } from '../statement.ts'
import { organisations, records } from '../tables.ts'

// The organisation's next version, and a time not before its last change (see
// migrations/records/0004_changes.sql).
const ofOrganisation = sql`FROM ${organisations} WHERE ${organisations.id} = ${records.organisationId}`
const nextVersion = {
  version: sql`(SELECT ${organisations.version} + 1 ${ofOrganisation})`,
  changed: sql`(SELECT max(${organisations.changed}, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) ${ofOrganisation})`,
}

/**
 * Replaces people's documents if the content differs. A person who changed since they were read is
 * left alone. `updated` stays, because no caller wrote the record.
 */
export async function replaceDocuments(
  d1: D1Database,
  organisationId: string,
  replaced: readonly { person: ChunkRecord; document: string }[],
  author: Author,
): Promise<void> {
  const db = drizzle(d1)
  const by = { changedBy: JSON.stringify(author), changedByVersion: nextVersion.version }
  const [first, ...others] = replaced
    .filter(
      ({ person, document }) => !isSameJson(JSON.parse(document), JSON.parse(person.document)),
    )
    .map(({ person, document }) =>
      db
        .update(records)
        .set({ document, ...nextVersion, ...by })
        .where(
          and(
            // The row of a deleted person may have been reused for another organisation's record.
            eq(records.organisationId, organisationId),
            eq(records.row, person.row),
            eq(records.document, person.document),
          ),
        ),
    )
  if (first) await db.batch([first, ...others])
}

/** Returns the documents of existing people by id. */
export const peopleDocuments = (
  d1: D1Database,
  organisationId: string,
  kind: Kind,
  ids: readonly string[],
): Promise<{ id: string; document: string }[]> =>
  drizzle(d1)
    .select({ id: records.id, document: records.document })
    .from(records)
    .where(
      and(
        eq(records.organisationId, organisationId),
        eq(records.collection, kind),
        sql`${records.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
      ),
    )

/** The forms for one kind of people, and the property that links a response to a person. */
export type Audience = { formFor: string; linkedBy: string }

/**
 * Returns whether there are such forms, and the ids of those people that each linked response
 * names, in order.
 */
export function linkedResponses(
  organisationId: string,
  { formFor, linkedBy }: Audience,
  people: readonly string[],
): { head: Record<string, SQL>; body: Body } {
  const forms = sql`SELECT records.id FROM terms CROSS JOIN term_ordinals ON term_ordinals.term_id = terms.id
    CROSS JOIN records USING (organisation_id, collection, ordinal)
    WHERE terms.organisation_id = ${organisationId} AND terms.collection = 'forms'
      AND terms.field = 'schemaForm' AND terms.value = x'01'
      AND records.document ->> '$.formFor' = ${formFor}`
  return {
    head: { forms: sql`EXISTS (${forms})` },
    body: {
      columns: ['id', 'document'],
      rows: sql`SELECT asked.value AS id, response.document
        FROM (${forms}) AS form CROSS JOIN json_each(${JSON.stringify(people)}) AS asked
        CROSS JOIN terms ON terms.organisation_id = ${organisationId}
          AND terms.collection = 'survey-responses' AND terms.field = ${linkedBy}
          AND terms.value = asked.value
        CROSS JOIN term_ordinals ON term_ordinals.term_id = terms.id
        CROSS JOIN records AS response ON response.organisation_id = terms.organisation_id
          AND response.collection = terms.collection AND response.ordinal = term_ordinals.ordinal
        WHERE response.document ->> '$.surveyId' = form.id
        ORDER BY response.row`,
    },
  }
}

/** The schema of a kind as JSON text, and people with the version and last write of each. */
export type Answering = {
  schema: string | undefined
  people: { id: string; document: string; version: number; updated: string }[]
}

/** Returns the head and body that read the people with these ids. */
export const answeringOf = (organisationId: string, kind: Kind, ids: readonly string[]) => ({
  head: { schema: schemaColumn(organisationId, kind) },
  body: {
    columns: ['id', 'document', 'version', 'updated'],
    rows: sql`SELECT id, document, version, updated FROM records
      WHERE collection = ${kind} AND organisation_id = ${organisationId}
        AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
  },
})

/** Parses that head and its rows. */
export const answeringIn = ({ head, rows }: { head: Row; rows: Row[] }): Answering => ({
  schema: textOrUndefined(head.schema),
  people: rows.map(({ id, document, version, updated }) => ({
    ...{ id: String(id), document: String(document) },
    ...{ version: Number(version), updated: String(updated) },
  })),
})
