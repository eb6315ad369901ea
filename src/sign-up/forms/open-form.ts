import { accessPolicyFor } from '../../access/access-policy.ts'
import { isAnonymous, parseSurveyForm, type SurveyForm } from '../../model/forms/survey-form.ts'
import { parseStoredSchema, type Schema } from '../../model/properties/schema.ts'
import type { FormDraft } from '../../store/sign-up/form-drafts.ts'
import { type LinkedPerson, readSurveyForm } from '../../store/sign-up/form-links.ts'
import type { Store } from '../../store/store.ts'
import { PublicError } from '../public-error.ts'
import { hashLinkSecret } from './form-links.ts'
import { showsAnswer } from './link-access.ts'
import { findObstacles, isOpenToEverybody } from './publishing.ts'

/** A form that takes answers now, by its address or by a personal link. */
export type OpenForm = {
  form: SurveyForm
  version: number
  /** The schema that the answers must suit, of a schema form. */
  schema: Schema | undefined
  link: { hash: string; person: LinkedPerson; draft: FormDraft | null; expires: string } | undefined
  /** Whether the form was answered through the link or by its person, and takes no other answer. */
  isAnswered: boolean
}

/**
 * Reads a form for answering; `secret` is the one in a personal link. Throws 404 for a form or a
 * link that does not exist, 410 for a link that has expired or a form that takes no answers now.
 */
export async function openForm(store: Store, formId: string, secret?: string): Promise<OpenForm> {
  const hash = secret === undefined ? undefined : await hashLinkSecret(secret)
  if (secret !== undefined && hash === undefined) throw unknownLink()
  const { form: stored, link } = await readSurveyForm(store, formId, hash)
  if (hash !== undefined && !link) throw unknownLink()
  const form = stored && parseSurveyForm(stored.document)
  if (!form || (!link && !isOpenToEverybody(form))) throw new PublicError('noForm')
  const schema = stored.schema === undefined ? undefined : parseStoredSchema(stored.schema)
  if (link && !showsAnswer(accessPolicyFor(link.restrictions), { form, schema }))
    throw new PublicError('formChanged', form.name)
  const now = new Date()
  if (findObstacles(form, now).length > 0) throw new PublicError('formClosed', form.name)
  if (link && link.expires <= now.toISOString()) throw new PublicError('linkExpired', form.name)
  const isUsedUp = link?.isUsed || (link?.isAnswered && !isAnonymous(form))
  return {
    form,
    version: stored.version,
    schema,
    link:
      link && hash
        ? {
            hash,
            draft: link.draft,
            expires: link.expires,
            person: isAnonymous(form) ? undefined : link.person,
          }
        : undefined,
    isAnswered: isUsedUp === true && !form.allowMultipleApplications,
  }
}

const unknownLink = () => new PublicError('noLink')

/** The error for a form that was answered through the link or by its person. */
export const alreadyAnswered = ({ name }: Pick<SurveyForm, 'name'>) =>
  new PublicError('alreadyAnswered', name)
