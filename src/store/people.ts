import { and, asc, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { KeptRecord } from './chunks.ts'
import type { Body } from './head-and-rows.ts'
import { holders, organisations, records, terms } from './tables.ts'

// The organisation's next version, at a time not before its last change (see migrations/0017_changes.sql).
const ofOrganisation = sql`FROM ${organisations} WHERE ${organisations.id} = ${records.organisationId}`
const nextVersion = {
  version: sql`(SELECT ${organisations.version} + 1 ${ofOrganisation})`,
  changed: sql`(SELECT max(${organisations.changed}, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) ${ofOrganisation})`,
}

/** Puts other documents in place of people's, but not of one that was given anew meanwhile; `updated` stays, as nobody gave the record. */
export async function replaceDocuments(
  d1: D1Database,
  replaced: readonly { person: KeptRecord; document: string }[],
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
export async function schemaForms(
  d1: D1Database,
  organisationId: string,
): Promise<{ formId: string; formFor: string }[]> {
  const formFor = sql<string>`${records.document} ->> '$.formFor'`
  const term = { collection: 'forms', field: 'schemaForm', values: sql`(x'01')` }
  const forms = await having(d1, organisationId, term, formFor, isNotNull(formFor))
  return forms.map(({ id, shown }) => ({ formId: id, formFor: shown }))
}

/** The responses to any of `forms` that are linked to any of these people, each with the person's id. */
export async function responsesOf(
  d1: D1Database,
  organisationId: string,
  linkedBy: string,
  people: readonly string[],
  forms: readonly string[],
): Promise<{ personId: string; document: string }[]> {
  const ids = (of: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(of)}))`
  const term = { collection: 'survey-responses', field: linkedBy, values: ids(people) }
  const isOfForm = inArray(sql`${records.document} ->> '$.surveyId'`, ids(forms))
  const document = sql<string>`${records.document}`
  const responses = await having(d1, organisationId, term, document, isOfForm)
  return responses.map(({ value, shown }) => ({ personId: value, document: shown }))
}

/** The records of a collection that have any of some values in a field, once for each: the value, the id, and what is to be shown. */
const having = (
  d1: D1Database,
  organisationId: string,
  { collection, field, values }: { collection: string; field: string; values: SQL },
  shown: SQL<string>,
  condition: SQL,
) =>
  drizzle(d1)
    .select({ value: sql<string>`${terms.value}`, id: records.id, shown })
    .from(terms)
    .crossJoin(holders)
    .crossJoin(records)
    .where(
      and(
        eq(terms.organisationId, organisationId),
        eq(terms.collection, collection),
        eq(terms.field, field),
        inArray(terms.value, values),
        eq(holders.term, terms.id),
        eq(records.organisationId, terms.organisationId),
        eq(records.collection, terms.collection),
        eq(records.position, holders.position),
        condition,
      ),
    )
    .orderBy(asc(records.row))

/** What people answered to the forms whose answers are embedded: the forms for these people, and the property of a response that names them. */
export type Audience = { formFor: string; linkedBy: string }

/** Whether there are such forms, and the ids of those people who answered with each response that is linked to them, in order. */
export function answersOf(
  organisationId: string,
  { formFor, linkedBy }: Audience,
  people: readonly string[],
): { head: Record<string, SQL>; body: Body } {
  const forms = sql`SELECT records.id FROM terms CROSS JOIN holders ON holders.term = terms.id
    CROSS JOIN records USING (organisation_id, collection, position)
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
        CROSS JOIN holders ON holders.term = terms.id
        CROSS JOIN records AS response ON response.organisation_id = terms.organisation_id
          AND response.collection = terms.collection AND response.position = holders.position
        WHERE response.document ->> '$.surveyId' = form.id
        ORDER BY response.row`,
    },
  }
}
