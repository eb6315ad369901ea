import { ApiError, invalidField, invalidInput } from '../../model/api-error.ts'
import { notFound } from '../../model/collection.ts'
import {
  audiences,
  isAnonymous,
  parseSurveyForm,
  type SurveyForm,
} from '../../model/forms/survey-form.ts'
import { type Kind, kindNames, parseStoredSchema } from '../../model/properties/schema.ts'
import { toTimestamp } from '../../model/timestamp.ts'
import { messages } from '../../model/validation-error.ts'
import {
  insertFormLinks,
  type LinkedPerson,
  readSurveyForm,
} from '../../store/sign-up/form-links.ts'
import type { Store } from '../../store/store.ts'
import { hashSecret, randomSecret, secretPattern } from '../link.ts'
import { requireLinkAccess } from './link-access.ts'
import { findObstacles } from './publishing.ts'

/** The maximum number of links of one request of the API. */
export const maxLinks = 250

const defaultDays = 90
const maxDays = 366
const dayMs = 24 * 60 * 60 * 1000

/** The links to make: for people by kind, and for anybody. `expires` is a timestamp. */
export type LinkRequest = {
  people: Partial<Record<Kind, readonly string[]>>
  /** The number of links that belong to nobody. */
  withoutPerson: number
  expires?: string | undefined
}

/** A new link with its secret, which is shown once. */
export type NewFormLink = { person: LinkedPerson; secret: string; expires: string }

/** The names of the people's ids in a request. */
export const linkFields = {
  members: 'memberIds',
  volunteers: 'volunteerIds',
  partners: 'partnerIds',
} as const

/**
 * Makes personal links to a form. Throws 403 for what restrictions hide, 404 for an unknown form, 409 for a form that takes no
 * answers now, and 400 for people that do not exist or for people of an anonymous form.
 */
export async function createFormLinks(
  store: Store,
  formId: string,
  { people, withoutPerson, expires }: LinkRequest,
  max = maxLinks,
): Promise<NewFormLink[]> {
  const now = new Date()
  const kinds = new Set(kindNames.filter((kind) => (people[kind] ?? []).length > 0))
  const form = await requireLinkableForm(store, formId, kinds)
  const listed = kindNames.flatMap((kind) =>
    (people[kind] ?? []).map((id, index) => ({ kind, id, field: `${linkFields[kind]}.${index}` })),
  )
  const count = listed.length + withoutPerson
  if (count === 0 || count > max)
    throw invalidField('', 'invalid_format', `Ask for 1 to ${max} links.`)
  const [first] = listed
  if (first && isAnonymous(form)) throw invalidField(linkFields[first.kind], 'conflict', anonymous)
  const keys = listed.map(({ kind, id }) => JSON.stringify([kind, id]))
  const repeated = listed.find((_, index) => keys.indexOf(keys[index] ?? '') < index)
  if (repeated) throw invalidField(repeated.field, 'duplicate', messages.repeated)
  const end = parseExpiry(expires, form.deadline, now)
  const links = [...listed, ...Array.from({ length: withoutPerson }, () => undefined)].map(
    (person): NewFormLink => ({
      person: person && { kind: person.kind, id: person.id },
      secret: randomSecret(),
      expires: end,
    }),
  )
  const hashed = await Promise.all(
    links.map(async ({ person, secret }) => ({ person, hash: await hashSecret(secret) })),
  )
  const missing = await insertFormLinks(store, {
    formId,
    links: hashed,
    created: now.toISOString(),
    expires: end,
  })
  if (missing.length > 0)
    throw invalidInput(
      missing.map((index) => ({
        field: listed[index]?.field ?? '',
        message: `must be the id of one of the ${listed[index]?.kind}.`,
        code: 'not_found',
      })),
    )
  return links
}

/** Reads a form that people can get links to. Throws 403 for what restrictions hide, 404 for an unknown form, and 409 for one that takes no answers now. */
export async function requireLinkableForm(
  store: Store,
  formId: string,
  kinds: ReadonlySet<Kind>,
): Promise<SurveyForm> {
  const { form: stored, isPublic } = await readSurveyForm(store, formId, undefined, [
    'read',
    'write',
  ])
  if (!stored) throw notFound({ singular: 'form', id: 'formId' })
  const form = parseSurveyForm(stored.document)
  const schema = stored.schema === undefined ? undefined : parseStoredSchema(stored.schema)
  requireLinkAccess(store.policy, { form, schema }, kinds)
  const [obstacle] = isPublic ? findObstacles(form) : [pagesOff]
  if (obstacle) throw new ApiError('CONFLICT', obstacle)
  return form
}

const pagesOff =
  'The public pages are off. An administrator can switch them on under Settings, Public pages.'

const anonymous =
  'is not possible: an anonymous form keeps no link to a person. Ask for links without a person.'

/** The end of links: the given time, or the deadline, but at most 90 days. Throws 400 for another time. */
export function parseExpiry(
  expires: string | undefined,
  deadline: string | null,
  now: Date,
): string {
  const [earliest, latest] = [now, new Date(now.getTime() + maxDays * dayMs)]
  if (expires === undefined) {
    const end = new Date(now.getTime() + defaultDays * dayMs).toISOString()
    const formEnd = deadline === null ? undefined : toTimestamp(deadline)
    return formEnd !== undefined && formEnd < end ? formEnd : end
  }
  const end = toTimestamp(expires)
  if (end === undefined) throw invalidField('expires', 'invalid_format', messages.time)
  if (end <= earliest.toISOString() || end > latest.toISOString())
    throw invalidField('expires', 'too_large', `must be within the next ${maxDays} days.`)
  return end
}

/** The hash of a link's secret; undefined for a text that cannot be one. */
export const hashLinkSecret = async (secret: string): Promise<string | undefined> =>
  secretPattern.test(secret) ? hashSecret(secret) : undefined

/** The path of a form's public page, or of a personal link to it. */
export const formPath = (organisationId: string, formId: string, secret?: string) =>
  `/o/${encodeURIComponent(organisationId)}/forms/${encodeURIComponent(formId)}${secret ? `/${secret}` : ''}`

/** The property that links a response to people of a kind. */
export const linkedProperty = (kind: Kind) => audiences[kind].linkedBy.split('.')[1] ?? ''
