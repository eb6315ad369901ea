import { and, asc, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { Kind } from '../model/schema.ts'
import { holders, organisations, records, terms } from './tables.ts'

/** A person as they are kept, and when their record was last given. */
export type KeptPerson = { row: number; id: string; document: string; updated: string }

/** The people of a kind, a chunk at a time, in the order in which they arrived. */
export async function* peopleInChunks(
  d1: D1Database,
  organisationId: string,
  kind: Kind,
  size: number,
): AsyncGenerator<KeptPerson[]> {
  for (let after = 0; ; ) {
    const people = await drizzle(d1)
      .select({
        row: records.row,
        id: records.id,
        document: records.document,
        updated: records.updated,
        position: records.position,
      })
      .from(records)
      .where(
        and(
          eq(records.organisationId, organisationId),
          eq(records.collection, kind),
          gt(records.position, after),
        ),
      )
      .orderBy(asc(records.position))
      .limit(size)
    const last = people.at(-1)
    if (!last) return
    yield people
    after = last.position
  }
}

// The organisation's next version, at a time not before its last change (see migrations/0015_changes.sql).
const ofOrganisation = sql`FROM ${organisations} WHERE ${organisations.id} = ${records.organisationId}`
const nextVersion = {
  version: sql`(SELECT ${organisations.version} + 1 ${ofOrganisation})`,
  changed: sql`(SELECT max(${organisations.changed}, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) ${ofOrganisation})`,
}

/** Puts other documents in place of people's, but not of one that was given anew meanwhile; `updated` stays, as nobody gave the record. */
export async function replaceDocuments(
  d1: D1Database,
  replaced: readonly { person: KeptPerson; document: string }[],
): Promise<void> {
  const db = drizzle(d1)
  const [first, ...others] = replaced
    .filter(({ person, document }) => document !== person.document)
    .map(({ person, document }) =>
      db
        .update(records)
        .set({ document, ...nextVersion })
        .where(and(eq(records.row, person.row), eq(records.document, person.document))),
    )
  if (first) await db.batch([first, ...others])
}

/** The forms whose answers are embedded in people's records, by the kind they are for. */
export const schemaForms = (
  d1: D1Database,
  organisationId: string,
): Promise<{ formId: string; formFor: string }[]> => {
  const formFor = sql<string>`${records.document} ->> '$.formFor'`
  return drizzle(d1)
    .select({ formId: records.id, formFor })
    .from(terms)
    .crossJoin(holders)
    .crossJoin(records)
    .where(
      and(
        eq(terms.organisationId, organisationId),
        eq(terms.collection, 'forms'),
        eq(terms.field, 'schemaForm'),
        eq(terms.value, sql`x'01'`),
        held,
        isNotNull(formFor),
      ),
    )
}

/** The responses to any of `forms` that are linked to any of these people, each with the person's id. */
export const responsesOf = (
  d1: D1Database,
  organisationId: string,
  linkedBy: string,
  people: readonly string[],
  forms: readonly string[],
): Promise<{ personId: string; document: string }[]> => {
  const ids = (of: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(of)}))`
  return drizzle(d1)
    .select({ personId: sql<string>`${terms.value}`, document: records.document })
    .from(terms)
    .crossJoin(holders)
    .crossJoin(records)
    .where(
      and(
        eq(terms.organisationId, organisationId),
        eq(terms.collection, 'survey-responses'),
        eq(terms.field, linkedBy),
        inArray(terms.value, ids(people)),
        held,
        inArray(sql`${records.document} ->> '$.surveyId'`, ids(forms)),
      ),
    )
    .orderBy(asc(records.row))
}

/** The records that hold a term. */
const held = and(
  eq(holders.term, terms.id),
  eq(records.organisationId, terms.organisationId),
  eq(records.collection, terms.collection),
  eq(records.position, holders.position),
)
