import { sql } from 'drizzle-orm/sql'
import { ApiError } from '../../model/api-error.ts'
import type { Author, ChangeSource } from '../../model/author.ts'
import { isSameJson } from '../../model/json.ts'
import type { Kind } from '../../model/properties/schema.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { maxRowsRead } from '../bitmap/matches.ts'
import { flag, integer, optional, text } from '../columns.ts'
import { ofCollection, ofOrganisation } from '../fragments.ts'
import { schemaColumn } from '../read/single.ts'
import type { WalkedRecord } from '../read/walk-records.ts'
import { statement } from '../statement.ts'
import type { Store } from '../store.ts'
import { replaceDocuments } from '../version.ts'
import type { NewDocument } from './put.ts'
import { commitWrite } from './write.ts'

/**
 * Replaces people's documents if they differ, unless they changed after they were read. Leaves
 * `updated` alone, because no caller wrote the record.
 */
export async function replacePeople(
  d1: D1Database,
  organisationId: string,
  replaced: readonly { person: WalkedRecord; document: string }[],
  author: Author,
): Promise<void> {
  const statements = replaced
    .filter(
      ({ person, document }) => !isSameJson(JSON.parse(document), JSON.parse(person.document)),
    )
    .map(({ person, document }) => {
      // The row of a deleted person may now belong to another organisation's record.
      const isUnchanged = sql`records.row = ${person.row} AND ${ofOrganisation({ organisationId })}
        AND records.document = ${person.document}`
      return statement(
        d1,
        replaceDocuments(author, isUnchanged, sql`${document}`, { isSingle: true }),
      )
    })
  if (statements.length > 0) await d1.batch(statements)
}

/** Reads existing people's documents by id. */
export async function readPeopleDocuments(
  d1: D1Database,
  organisationId: string,
  kind: Kind,
  ids: readonly string[],
): Promise<{ id: string; document: string }[]> {
  const query = sql`SELECT id, document FROM records WHERE ${ofCollection({ organisationId }, kind)}
    AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
  const { results } = await statement(d1, query).all<{ id: string; document: string }>()
  return results
}

/** A kind of people with *schema forms*, which fill the people's fields by their answers, and the property that links a response to its person. */
export type FormAudience = { formFor: string; linkedBy: string }

// The audiences without a schema form. Cached, because D1 limits the statements of a request and an
// import has many parts.
const missingForms = new WeakMap<Store, Set<string>>()

// Each response costs three rows.
const maxLinkedResponses = maxRowsRead / 4

/**
 * Reads the responses to schema forms that are linked to these people, in order. Returns undefined
 * without such forms; throws 400 beyond `maxResponses` linked responses. Requires `write`.
 */
export async function findLinkedResponses(
  store: Store,
  { formFor, linkedBy }: FormAudience,
  people: readonly string[],
  maxResponses = maxLinkedResponses,
): Promise<{ id: string; document: string }[] | undefined> {
  if (missingForms.get(store)?.has(formFor)) return undefined
  const forms = sql`SELECT records.id FROM terms CROSS JOIN term_ordinals ON term_ordinals.term_id = terms.id
    CROSS JOIN records USING (organisation_id, collection, ordinal)
    WHERE ${ofCollection(store, 'forms', 'terms')}
      AND terms.field = 'schemaForm' AND terms.value = x'01'
      AND records.document ->> '$.formFor' = ${formFor}`
  const linked = sql`FROM json_each(${JSON.stringify(people)}) AS person
    CROSS JOIN terms ON ${ofCollection(store, 'survey-responses', 'terms')} AND terms.field = ${linkedBy}
      AND terms.value = person.value`
  const count = sql`(SELECT coalesce(sum(terms.count), 0) ${linked})`
  const { head, rows } = await store.select({
    head: {
      hasForms: flag(sql`EXISTS (${forms})`),
      count: integer(sql`iif(EXISTS (${forms}), ${count}, 0)`),
    },
    rows: {
      columns: { id: text(sql`person.value`), document: text(sql`response.document`) },
      from: sql`${linked}
        CROSS JOIN term_ordinals ON term_ordinals.term_id = terms.id
        CROSS JOIN records AS response ON response.organisation_id = terms.organisation_id
          AND response.collection = terms.collection AND response.ordinal = term_ordinals.ordinal
        WHERE EXISTS (${forms}) AND ${count} <= ${maxResponses}
          AND response.document ->> '$.surveyId' IN (${forms})
        ORDER BY response.row`,
    },
    permissions: ['write'],
  })
  if (!head.hasForms) {
    missingForms.set(store, new Set(missingForms.get(store)).add(formFor))
    return undefined
  }
  if (head.count > maxResponses)
    throw new ApiError(
      'BAD_REQUEST',
      `More than ${formatNumber(maxResponses)} responses are linked to these people. Send fewer people at once.`,
    )
  return rows
}

/** The schema of a kind as JSON text, and people with their version and last write. */
type PeopleToFill = {
  schema: string | undefined
  people: { id: string; document: string; version: number; updated: string }[]
}

/**
 * Reads a kind's schema and the people to fill from form answers. Requires `write`, but no access
 * to the collection.
 */
export async function readPeopleToFill(
  store: Store,
  kind: Kind,
  ids: readonly string[],
): Promise<PeopleToFill> {
  const { head, rows } = await store.select({
    head: { schema: optional(text(schemaColumn(store.organisationId, kind))) },
    rows: {
      columns: {
        id: text(sql`id`),
        document: text(sql`document`),
        version: integer(sql`version`),
        updated: text(sql`updated`),
      },
      from: sql`FROM records WHERE ${ofCollection(store, kind)}
          AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
    },
    permissions: ['write'],
  })
  return { ...head, people: rows }
}

/**
 * Writes people filled from form answers. Returns false and writes nothing if one of them changed.
 * Requires `write`, but no access to the collection.
 */
export async function commitFilledPeople(
  store: Store,
  { kind, source }: { kind: Kind; source: ChangeSource | undefined },
  people: PeopleToFill['people'],
  filled: readonly NewDocument[],
): Promise<boolean> {
  const byId = new Map(people.map((person) => [person.id, person]))
  const versions = filled.flatMap(({ id, document }) => {
    const person = byId.get(id)
    const isSame = !person || isSameJson(JSON.parse(document), JSON.parse(person.document))
    return isSame ? [] : [{ id, document, updated: person.updated, version: person.version }]
  })
  if (versions.length === 0) return true
  const put = versions.map(({ version: _, ...document }) => document)
  const { result } = await store.withPolicy(() =>
    commitWrite(store, {
      collection: kind,
      ignoresHidden: true,
      permissions: ['write'],
      put,
      versions,
      source,
    }),
  )
  return result.changed.length === 0
}
