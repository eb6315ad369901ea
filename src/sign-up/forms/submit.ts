import { invalidInput } from '../../model/api-error.ts'
import { filledKind, isAnonymous, type SurveyForm } from '../../model/forms/survey-form.ts'
import { kinds, type Schema } from '../../model/properties/schema.ts'
import { sha256 } from '../../platform/sha256.ts'
import { fillFromAnswers } from '../../records/answers.ts'
import { fillPeople } from '../../records/fill-people.ts'
import { personRules } from '../../records/person-rules.ts'
import { retryWhileChanged } from '../../records/retry.ts'
import { checkSize } from '../../records/rules.ts'
import type { LinkedPerson } from '../../store/sign-up/form-links.ts'
import { commitFormResponse } from '../../store/sign-up/form-responses.ts'
import type { Store } from '../../store/store.ts'
import type { NewDocument } from '../../store/write/put.ts'
import { PublicError } from '../public-error.ts'
import { calculateScore, type Entries, shownQuestions, validateAnswers } from './answers.ts'
import { linkedProperty } from './form-links.ts'
import { alreadyAnswered, type OpenForm, openForm } from './open-form.ts'

/** The answers to a form. `token` is random: the same answers with the same one are stored once. */
export type FormSubmission = {
  formId: string
  secret?: string | undefined
  token: string
  entries: Entries
}

type Context = { store: Store; geography: D1Database }

/**
 * Stores the answers to a form as a survey response and fills the fields of its person.
 * An open schema form creates the person. Answers that are sent again finish what an interrupted request
 * began. Throws 400 with every invalid answer, 410 if the link was used for other answers, and like `openForm`.
 */
export async function submitForm(
  context: Context,
  { formId, secret, token, entries }: FormSubmission,
): Promise<void> {
  const { store } = context
  const responseId = await deriveId(store.organisationId, formId, token, entries)
  await retryWhileChanged(async () => {
    const open = await openForm(store, formId, secret)
    const { form, version, link } = open
    const questions = shownQuestions(form, entries)
    const { items, errors } = validateAnswers(questions, entries, open.schema)
    if (errors.length > 0) throw invalidInput(errors)
    const newPerson = link?.person ? undefined : await findNewPersonId(open, responseId)
    const person = link?.person ?? newPerson
    const record = buildResponse(store.organisationId, form, { responseId, person })
    const document = { ...record, responses: items, surveyScore: calculateScore(form, items) }
    const response = requireSize(responseId, document)
    const created =
      newPerson && open.schema
        ? await buildPerson(context.geography, newPerson, open.schema, response)
        : undefined
    // An answer that fills no field creates nobody.
    const isUnlinked = newPerson !== undefined && created === undefined
    const written = isUnlinked
      ? requireSize(responseId, { ...document, linkedEntities: linkTo(undefined) })
      : response
    const result = await commitFormResponse(store, {
      form: { id: formId, version },
      response: written,
      person: created && newPerson && { kind: newPerson.kind, document: created },
      linkHash: link?.hash,
      allowsSeveral: form.allowMultipleApplications,
      isAnonymous: isAnonymous(form),
    })
    if (result === 'changed') return undefined
    if (result === 'closed' || result === 'answered') throw alreadyAnswered(form)
    if (link?.person) await fillPeople(context, 'survey-responses', [written])
    return true
  })
}

const deriveId = (organisationId: string, formId: string, token: string, entries: Entries) =>
  sha256(JSON.stringify(['form response', organisationId, formId, token, ...entries]))

/** The id of the person whom an answer creates, if the form says so. */
async function findNewPersonId({ form }: OpenForm, responseId: string): Promise<LinkedPerson> {
  const kind = filledKind(form)
  if (!kind || !form.addPersonPublic || isAnonymous(form)) return undefined
  return { kind, id: await sha256(JSON.stringify(['person', responseId])) }
}

/** A survey response without its answers, with its properties in the order of the contract. */
function buildResponse(
  organisationId: string,
  form: SurveyForm,
  { responseId, person }: { responseId: string; person: LinkedPerson },
) {
  const now = new Date().toISOString()
  return {
    responseId,
    surveyId: form.formId,
    funderSurveyId: null,
    managedBy: organisationId,
    submittedTo: organisationId,
    creator: '',
    date: now,
    created: now,
    updated: null,
    responses: [],
    linkedEntities: linkTo(person),
    tags: [],
    isPrivate: false,
    surveyScore: null,
  }
}

const linkTo = (person: LinkedPerson): Record<string, string[]> => ({
  memberIds: [],
  partnerIds: [],
  volunteerIds: [],
  ...(person && { [linkedProperty(person.kind)]: [person.id] }),
})

/** A new person with the answers that fit a field; undefined if none does. */
async function buildPerson(
  geography: D1Database,
  { kind, id }: NonNullable<LinkedPerson>,
  schema: Schema,
  response: NewDocument,
): Promise<NewDocument | undefined> {
  const { id: idName } = kinds[kind]
  const empty = { id, document: JSON.stringify({ [idName]: id }), updated: '' }
  const values = fillFromAnswers({ kind, schema }, empty, [response])
  if (!schema.fields.some((field) => Object.hasOwn(values, field.id))) return undefined
  const document = requireSize(id, values)
  const [enriched] = (await personRules(kind, schema).addAreas?.(geography, [document])) ?? []
  return enriched ?? document
}

function requireSize(id: string, document: Record<string, unknown>): NewDocument {
  const checked = checkSize(id, document)
  if ('errors' in checked) throw new PublicError('answersTooLong')
  return checked.value
}
