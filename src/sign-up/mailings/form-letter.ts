import { parseSurveyForm } from '../../model/forms/survey-form.ts'
import { personName } from '../../model/properties/person-name.ts'
import { parseStoredSchema } from '../../model/properties/schema.ts'
import { parseDocument } from '../../records/person.ts'
import { type FormPerson, readFormPeople, readSurveyForm } from '../../store/sign-up/form-links.ts'
import type { Recipient, StoredMailing } from '../../store/sign-up/mailings.ts'
import type { Store } from '../../store/store.ts'
import { texts } from '../../texts/texts.ts'
import { formPath, parseExpiry } from '../forms/form-links.ts'
import { findObstacles } from '../forms/publishing.ts'
import { hashSecret, randomSecret } from '../link.ts'
import { safeName } from '../message.ts'
import { readPublicPages } from '../public-pages.ts'
import type { Composed } from './event-letter.ts'

/** The purposes of mailings with personal links to a form. Others are about events. */
const formPurposes = ['form', 'form-reminder'] as const

export type FormPurpose = (typeof formPurposes)[number]

export const isFormPurpose = (purpose: string): boolean =>
  formPurposes.some((name) => name === purpose)

/** What the mailing of a form stores. */
export type FormInvitation = {
  /** The beginning of the links. */
  origin: string
  /** The restrictions of whoever sends it, as JSON: the links do no more. */
  restrictions: string | null
}

/**
 * Writes the letter with the personal links of an address: one for each of its people who exist and have not answered.
 * Undefined if nobody is left, or if the form takes no answers now. The links are made here, so that no secret waits in the queue.
 */
export async function composeFormLetter(
  store: Store,
  { purpose, recordId: formId, content }: Pick<StoredMailing, 'purpose' | 'recordId' | 'content'>,
  { invited: people = [] }: Recipient,
): Promise<Composed | undefined> {
  // The content is in the form of the purpose that has stored it.
  const { origin, restrictions } = content as FormInvitation
  const { form: stored, isPublic } = await readSurveyForm(store, formId)
  const form = stored && parseSurveyForm(stored.document)
  const now = new Date()
  if (!form || !isPublic || findObstacles(form, now).length > 0) return undefined
  const isReminder = purpose === 'form-reminder'
  const allowsSeveral = form.allowMultipleApplications && !isReminder
  const invited = await readFormPeople(store, formId, people, allowsSeveral)
  if (invited.length === 0) return undefined
  const { organisationName, settings } = await readPublicPages(store)
  const expires = parseExpiry(undefined, form.deadline, now)
  const links = await Promise.all(
    invited.map(async ({ kind, id, ...person }, index) => {
      const secret = randomSecret()
      return {
        name: nameOf(person) ?? texts.letters.person(index + 1),
        address: origin + formPath(store.organisationId, formId, secret),
        stored: { hash: await hashSecret(secret), person: { kind, id } },
      }
    }),
  )
  const isForOne = links.length === 1
  return {
    letter: {
      subject: isReminder ? texts.letters.formReminderSubject(form.name) : form.name,
      parts: [
        texts.letters.hello(undefined),
        isReminder
          ? texts.letters.formReminder(form.name, organisationName)
          : texts.letters.form(form.name, organisationName),
        ...links.map(({ name, address }) => ({
          label: isForOne ? form.name : texts.letters.formOf(name),
          address,
        })),
        texts.letters.formLinks(expires),
        organisationName,
      ],
    },
    replyTo: settings.contactEmail,
    links: [],
    formLinks: {
      links: links.map(({ stored }) => stored),
      formId,
      restrictions,
      expires,
      created: now.toISOString(),
    },
    unsubscribeOrigin: origin,
  }
}

function nameOf({ document, schema }: Pick<FormPerson, 'document' | 'schema'>) {
  const { fields } = parseStoredSchema(schema)
  return safeName(personName(fields, parseDocument(document)))
}
