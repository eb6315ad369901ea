import { type SQL, sql } from 'drizzle-orm/sql'
import type { Kind } from '../../model/properties/schema.ts'
import { ofOrganisation, recordExists } from '../fragments.ts'
import type { Store } from '../store.ts'
import { type NewDocument, putDocuments } from '../write/put.ts'
import { isAnswered } from './form-links.ts'

/** A response to write, with the new person whom it is about, if any. */
type FormResponse = {
  form: { id: string; version: number }
  response: NewDocument
  person?: { kind: Kind; document: NewDocument } | undefined
  /** The SHA-256 of the link's secret. */
  linkHash?: string | undefined
  /** Whether a link, and a person, may answer several times. */
  allowsSeveral: boolean
  /** Whether a used link is deleted, so that nothing connects it with the response. */
  isAnonymous: boolean
}

/**
 * The result of a write: `repeated` if the response exists, `changed` if the form has another
 * version, `closed` if the link is used or expired, `answered` if its person has another response.
 */
type FormResponseResult = 'written' | 'repeated' | 'changed' | 'closed' | 'answered'

/** Writes a response with its person and uses up its link, in one transaction. */
export async function commitFormResponse(
  store: Store,
  { form, response, person, linkHash, allowsSeveral, isAnonymous }: FormResponse,
): Promise<FormResponseResult> {
  const { organisationId, credential } = store
  const now = new Date().toISOString()
  const ownLink = sql`link.hash = ${linkHash ?? ''} AND ${ofOrganisation({ organisationId }, 'link')}
    AND link.form_id = ${form.id}`
  const hasLink = (condition: SQL) =>
    sql`EXISTS (SELECT 1 FROM form_links AS link WHERE ${ownLink} AND ${condition})`
  const unused = allowsSeveral ? sql`true` : sql`link.used IS NULL`
  const checksAnswered = linkHash !== undefined && !allowsSeveral && !isAnonymous
  const { author } = credential
  const { refused } = await store.write(
    {
      permissions: ['write'],
      unless: {
        repeated: recordExists(store, 'survey-responses', response.id),
        changed: sql`NOT EXISTS (SELECT 1 FROM records WHERE collection = 'forms' AND id = ${form.id}
          AND ${ofOrganisation({ organisationId })} AND version = ${form.version})`,
        ...(linkHash !== undefined && {
          closed: sql`NOT ${hasLink(sql`link.expires > ${now} AND ${unused}`)}`,
        }),
        ...(checksAnswered && { answered: hasLink(isAnswered(organisationId, form.id)) }),
      },
    },
    [
      ...(person
        ? [putDocuments({ organisationId, collection: person.kind }, [person.document], author)]
        : []),
      putDocuments({ organisationId, collection: 'survey-responses' }, [response], author),
      ...(linkHash === undefined ? [] : [useLink(ownLink, { now, allowsSeveral, isAnonymous })]),
    ],
  )
  const [obstacle = 'written'] = Object.keys(refused ?? {}) as FormResponseResult[]
  return obstacle
}

/** SQL that uses up a link and clears its draft. Nothing connects an anonymous response with its link. */
function useLink(
  ownLink: SQL,
  {
    now,
    allowsSeveral,
    isAnonymous,
  }: { now: string; allowsSeveral: boolean; isAnonymous: boolean },
): SQL {
  if (!isAnonymous)
    return sql`UPDATE form_links AS link SET used = ${now}, draft = NULL WHERE ${ownLink}`
  return allowsSeveral
    ? sql`UPDATE form_links AS link SET draft = NULL WHERE ${ownLink}`
    : sql`DELETE FROM form_links AS link WHERE ${ownLink}`
}
