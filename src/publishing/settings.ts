import { sql } from 'drizzle-orm/sql'
import * as z from 'zod'
import { invalidInput } from '../model/api-error.ts'
import { messages, validate } from '../model/validation-error.ts'
import type { RecordDatabases } from '../platform/bindings.ts'
import { PublicError } from '../sign-up/public-error.ts'
import { publicStore } from '../store/public-store.ts'
import { isPublished, readStoredPublishing, storePublishing } from '../store/settings/publishing.ts'
import type { Store } from '../store/store.ts'

/** The licences for published data, by their canonical address. */
export const licences = {
  'https://creativecommons.org/licenses/by/4.0/': 'Creative Commons Attribution 4.0',
  'https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/':
    'Open Government Licence 3.0',
  'https://creativecommons.org/publicdomain/zero/1.0/': 'Public domain (CC0 1.0)',
} as const

type Licence = keyof typeof licences

const licenceAddresses = Object.keys(licences) as [Licence, ...Licence[]]

/** How an organisation publishes its grants. */
export const GrantPublishing = z.strictObject({
  isOn: z.boolean().default(false),
  /** Begins the ids of grants. 360Giving assigns it. */
  prefix: z
    .string(messages.text)
    .regex(/^360G-\w{1,40}$/, 'must be your prefix of 360Giving, such as 360G-example.')
    .optional(),
  /** The organisation's own id (org-id.guide). */
  funder: z
    .string(messages.text)
    .regex(
      /^[A-Z]{2}-[A-Z\d]{2,12}-[\w-]{1,40}$/,
      'must be an id by org-id.guide, such as GB-CHC-1234567 for a charity.',
    )
    .optional(),
  licence: z
    .enum(licenceAddresses, `must be one of ${licenceAddresses.join(', ')}.`)
    .default('https://creativecommons.org/licenses/by/4.0/'),
  /** The first award date. */
  from: z.iso.date('must be a day, such as 2026-04-01.').optional(),
  /** The ids of the funds; without them, grants of all. */
  funds: z
    .array(z.string(messages.text).min(1, messages.notEmpty).max(256, messages.maxCharacters(256)))
    .max(100, 'must be a list of at most 100.')
    .optional(),
  /** Whether grants to individuals are published, without names. */
  hasIndividuals: z.boolean().default(false),
  /** Whether the descriptions of applications are published: applicants may have written about people. */
  hasDescriptions: z.boolean().default(false),
})

export type GrantPublishing = z.infer<typeof GrantPublishing>

/** Whether an organisation publishes its sessions. */
const SessionPublishing = z.strictObject({ isOn: z.boolean().default(false) })

/** What an organisation publishes as open data. */
export type Publishing = z.infer<typeof StoredSettings> & { organisationName: string }

const StoredSettings = z.object({
  grants: GrantPublishing.prefault({}),
  sessions: SessionPublishing.prefault({}),
})

/** Reads what an organisation publishes, and the state of its records. */
export async function readPublishing(
  store: Store,
): Promise<{ publishing: Publishing; state: string }> {
  const { organisationName, settings, state } = await readStoredPublishing(store)
  const parsed = StoredSettings.parse(JSON.parse(settings))
  return { publishing: { organisationName, ...parsed }, state }
}

/** Saves how an organisation publishes its grants. Throws 400 with every validation error. */
export async function saveGrantPublishing(store: Store, input: unknown): Promise<void> {
  const checked = validate(GrantPublishing, input)
  if (!('value' in checked)) throw invalidInput(checked.errors)
  const { isOn, prefix, funder } = checked.value
  const missing = Object.entries({ prefix, funder }).filter(([, value]) => value === undefined)
  if (isOn && missing.length > 0) {
    const message = 'must be set while grants are published.'
    throw invalidInput(missing.map(([field]) => ({ field, message, code: 'required' })))
  }
  await storePublishing(store, 'grants', JSON.stringify(checked.value))
}

/** Saves whether an organisation publishes its sessions. */
export const saveSessionPublishing = (store: Store, isOn: boolean): Promise<void> =>
  storePublishing(store, 'sessions', JSON.stringify({ isOn }))

export type PublishedPart = 'grants' | 'sessions'

/**
 * Opens an organisation's records for a part of its open data. Every statement throws 404 if the
 * organisation does not publish it or does not exist. Sessions lead to the public pages, so these must be on too.
 */
export const openPublishedStore = (
  databases: RecordDatabases,
  organisationId: string,
  part: PublishedPart,
): Store =>
  publicStore(databases, organisationId, {
    permissions: ['read'],
    condition: part === 'grants' ? isPublished(part) : sql`${isPublished(part)} AND enabled = 1`,
    refuse: () => new PublicError('noPage'),
  })
