import { sql } from 'drizzle-orm'
import { statement } from './statement.ts'

/** A record as it is kept, and when it was last given. */
export type Kept = { row: number; id: string; document: string; updated: string }

/** The records of a collection, a chunk at a time, in the order in which they arrived. */
export async function* recordsInChunks(
  d1: D1Database,
  organisationId: string,
  collection: string,
  size: number,
): AsyncGenerator<Kept[]> {
  for (let offset = 0; ; offset += size) {
    const { results } = await statement(
      d1,
      sql`SELECT row, id, document, updated FROM records
        WHERE organisation_id = ${organisationId} AND collection = ${collection} AND position > ${offset}
        ORDER BY position LIMIT ${size}`,
    ).all<Kept>()
    if (results.length > 0) yield results
    if (results.length < size) return
  }
}

/** Puts other documents in place of people's, but not of one that was given anew meanwhile; `updated` stays, as nobody gave the record. */
export async function replaceDocuments(
  d1: D1Database,
  replaced: readonly { person: Kept; document: string }[],
): Promise<void> {
  const changed = replaced.filter(({ person, document }) => document !== person.document)
  if (changed.length === 0) return
  await d1.batch(
    changed.map(({ person, document }) =>
      statement(
        d1,
        sql`UPDATE records SET document = ${document}
          WHERE row = ${person.row} AND document = ${person.document}`,
      ),
    ),
  )
}

/** The forms whose answers are embedded in people's records, by the kind they are for. */
export async function schemaForms(
  d1: D1Database,
  organisationId: string,
): Promise<{ formId: string; formFor: string }[]> {
  const { results } = await statement(
    d1,
    sql`SELECT records.id AS formId, document ->> '$.formFor' AS formFor
      FROM terms CROSS JOIN postings ON postings.term = terms.id CROSS JOIN records USING (row)
      WHERE terms.organisation_id = ${organisationId} AND terms.collection = 'forms'
        AND terms.field = 'schemaForm' AND terms.value = x'01'
        AND document ->> '$.formFor' IS NOT NULL`,
  ).all<{ formId: string; formFor: string }>()
  return results
}

/** The responses to any of `forms` that are linked to any of these people, each with the person's id. */
export async function responsesOf(
  d1: D1Database,
  organisationId: string,
  linkedBy: string,
  people: readonly string[],
  forms: readonly string[],
): Promise<{ personId: string; document: string }[]> {
  const { results } = await statement(
    d1,
    sql`SELECT person.value AS personId, records.document
      FROM json_each(${JSON.stringify(people)}) AS person CROSS JOIN terms
      CROSS JOIN postings ON postings.term = terms.id CROSS JOIN records USING (row)
      WHERE terms.organisation_id = ${organisationId} AND terms.collection = 'survey-responses'
        AND terms.field = ${linkedBy} AND terms.value = person.value
        AND records.document ->> '$.surveyId' IN (SELECT value FROM json_each(${JSON.stringify(forms)}))
      ORDER BY records.row`,
  ).all<{ personId: string; document: string }>()
  return results
}
