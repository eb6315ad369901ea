import { type SQL, sql } from 'drizzle-orm/sql'
import type { Permission } from '../../access/permissions.ts'
import { audiences } from '../../model/forms/survey-form.ts'
import type { Kind } from '../../model/properties/schema.ts'
import { enumeration, flag, integer, nullable, optional, text } from '../columns.ts'
import { ofCollection, ofOrganisation } from '../fragments.ts'
import { schemaColumn } from '../read/single.ts'
import type { Store } from '../store.ts'
import { reasons } from '../terms.ts'
import { selectMissing } from '../write/write.ts'
import type { FormDraft } from './form-drafts.ts'

/** The person that a link is for; undefined for a link that anybody may use. */
export type LinkedPerson = { kind: Kind; id: string } | undefined

/** A new link by the SHA-256 of its secret. */
export type HashedFormLink = { hash: string; person: LinkedPerson }

/** New links to a form that expire together. `restrictions` are those of whoever makes them, as JSON. */
export type NewFormLinks = {
  formId: string
  links: readonly HashedFormLink[]
  created: string
  expires: string
  restrictions: string | null
}

/** SQL that stores links to a form. */
export function insertLinkRows(
  { organisationId }: Pick<Store, 'organisationId'>,
  { formId, links, created, expires, restrictions }: NewFormLinks,
): SQL {
  const rows = links.map(({ hash, person }) => ({ hash, kind: person?.kind, id: person?.id }))
  return sql`INSERT INTO form_links (hash, organisation_id, form_id, kind, person_id, created, expires, restrictions)
    SELECT value ->> '$.hash', ${organisationId}, ${formId}, value ->> '$.kind',
      value ->> '$.id', ${created}, ${expires}, ${restrictions}
    FROM json_each(${JSON.stringify(rows)})`
}

/**
 * Stores links to a form. Returns the indexes of links for
 * missing people; then nothing is stored. Requires `write`.
 */
export async function insertFormLinks(
  store: Store,
  newLinks: Omit<NewFormLinks, 'restrictions'>,
): Promise<number[]> {
  const { links } = newLinks
  const { organisationId, credential } = store
  const people = links.flatMap(({ person }, index) => (person ? [{ ...person, index }] : []))
  const missing = selectMissing(
    organisationId,
    people.map(({ kind, id }) => ({ to: kind, id })),
  )
  const { refused } = await store.write(
    {
      permissions: ['write'],
      collection: 'forms',
      unless: { missing: reasons<number>(missing) },
      isInternal: true,
    },
    [insertLinkRows(store, { ...newLinks, restrictions: credential.restrictions })],
  )
  return (refused?.missing ?? []).flatMap((index) => people[index]?.index ?? [])
}

/** A form as JSON text with its version, and the schema that a schema form fills. */
type StoredForm = { document: string; version: number; schema: string | undefined }

/** A link to a form. `isAnswered` is true if its person has answered the form. */
export type FormLink = {
  person: LinkedPerson
  expires: string
  isUsed: boolean
  isAnswered: boolean
  /** The restrictions of the key that made it, as JSON; null for none. */
  restrictions: string | null
  draft: FormDraft | null
}

/** Reads a form, the link to it with this hash, and whether the public pages are on. */
export async function readSurveyForm(
  store: Store,
  formId: string,
  linkHash?: string,
  permissions: readonly Permission[] = ['read'],
): Promise<{ form: StoredForm | undefined; link: FormLink | undefined; isPublic: boolean }> {
  const { organisationId } = store
  const link = sql`(SELECT json_object(
      'kind', kind, 'id', person_id, 'expires', expires, 'isUsed', used IS NOT NULL,
      'isAnswered', ${isAnswered(organisationId, formId)}, 'restrictions', restrictions,
      'draft', json(draft))
    FROM form_links AS link WHERE hash = ${linkHash ?? ''}
      AND ${ofOrganisation({ organisationId })} AND form_id = ${formId})`
  const kind = sql`iif(records.document ->> '$.schemaForm', lower(records.document ->> '$.formFor'), NULL)`
  const { head, rows } = await store.select({
    head: {
      link: nullable(text(linkHash === undefined ? sql`NULL` : link)),
      isPublic: flag(sql`EXISTS (SELECT 1 FROM public_pages
        WHERE ${ofOrganisation({ organisationId })} AND enabled = 1)`),
    },
    rows: {
      columns: {
        document: text(sql`document`),
        version: integer(sql`version`),
        schema: optional(text(schemaColumn(organisationId, kind))),
      },
      from: sql`FROM records WHERE collection = 'forms' AND id = ${formId}
        AND ${ofOrganisation({ organisationId })}`,
    },
    permissions,
    collection: 'forms',
  })
  return {
    form: rows[0],
    link: head.link === null ? undefined : parseLink(head.link),
    isPublic: head.isPublic,
  }
}

function parseLink(text: string): FormLink {
  const { kind, id, expires, isUsed, isAnswered, restrictions, draft } = JSON.parse(text)
  return {
    person: id === null ? undefined : { kind, id },
    expires,
    isUsed: isUsed === 1,
    isAnswered: isAnswered === 1,
    restrictions,
    draft,
  }
}

/** SQL that tests whether the person of a row `link` has answered the form. */
export const isAnswered = (organisationId: string, formId: string) => sql`EXISTS (
  SELECT 1 FROM terms CROSS JOIN term_ordinals ON term_ordinals.term_id = terms.id
    CROSS JOIN records AS response ON response.organisation_id = terms.organisation_id
      AND response.collection = terms.collection AND response.ordinal = term_ordinals.ordinal
  WHERE ${ofCollection({ organisationId }, 'survey-responses', 'terms')}
    AND terms.field = CASE link.kind ${sql.join(
      Object.entries(audiences).map(([kind, { linkedBy }]) => sql`WHEN ${kind} THEN ${linkedBy}`),
      sql` `,
    )} END
    AND terms.value = link.person_id
    AND response.document ->> '$.surveyId' = ${formId}
)`

/** The people of a list who have answered the form. */
export async function readAnswered(
  store: Store,
  formId: string,
  { kind, ids }: { kind: Kind; ids: readonly string[] },
): Promise<Set<string>> {
  const { rows } = await store.select({
    rows: {
      columns: { id: text(sql`link.person_id`) },
      from: sql`FROM (SELECT ${kind} AS kind, value AS person_id FROM json_each(${JSON.stringify(ids)})) AS link
        WHERE ${isAnswered(store.organisationId, formId)}`,
    },
    permissions: ['read'],
    collection: 'survey-responses',
  })
  return new Set(rows.map(({ id }) => id))
}

const maxCounted = 5000

/** Counts the people with a link to a form that has not expired, at most 5,000, and those of them who have answered. */
export async function countLinkedPeople(
  store: Store,
  formId: string,
): Promise<{ people: number; answered: number }> {
  const { organisationId } = store
  const { rows } = await store.select({
    rows: {
      columns: {
        people: integer(sql`count(*)`),
        answered: integer(sql`coalesce(sum(${isAnswered(organisationId, formId)}), 0)`),
      },
      from: sql`FROM (
        SELECT DISTINCT kind, person_id FROM form_links
        WHERE ${ofOrganisation(store)} AND form_id = ${formId} AND person_id IS NOT NULL
        LIMIT ${sql.raw(String(maxCounted))}
      ) AS link`,
    },
    permissions: ['read'],
    collection: 'survey-responses',
  })
  return rows[0] ?? { people: 0, answered: 0 }
}

/** A person who may get a link: their document and the schema of their kind as JSON texts. */
export type FormPerson = {
  kind: Kind
  id: string
  document: string
  schema: string | undefined
}

/** Reads those of some people who exist and, unless a form allows several answers, have not answered it. */
export async function readFormPeople(
  store: Store,
  formId: string,
  people: readonly { kind: Kind; id: string }[],
  allowsSeveral: boolean,
): Promise<FormPerson[]> {
  const { organisationId } = store
  const { rows } = await store.select({
    rows: {
      columns: {
        kind: enumeration<Kind>(sql`link.kind`),
        id: text(sql`link.person_id`),
        document: text(sql`records.document`),
        schema: optional(text(schemaColumn(organisationId, sql`link.kind`))),
      },
      from: sql`FROM (
          SELECT value ->> '$.kind' AS kind, value ->> '$.id' AS person_id
          FROM json_each(${JSON.stringify(people)})
        ) AS link
        CROSS JOIN records ON ${ofOrganisation({ organisationId }, 'records')}
          AND records.collection = link.kind AND records.id = link.person_id
        ${allowsSeveral ? sql`` : sql`WHERE NOT ${isAnswered(organisationId, formId)}`}`,
    },
  })
  return rows
}

/** Deletes links that expired before `now` (epoch milliseconds). */
export async function deleteExpiredFormLinks(d1: D1Database, now: number): Promise<void> {
  const time = new Date(now).toISOString()
  await d1.prepare('DELETE FROM form_links WHERE expires < ?').bind(time).run()
}
