import { Buffer } from 'node:buffer'
import { sql } from 'drizzle-orm/sql'
import * as z from 'zod'
import { fullPermissions } from '../access/permissions.ts'
import { invalidInput } from '../model/api-error.ts'
import { withoutDerivedFields } from '../model/properties/area-fields.ts'
import { hasValue, isUnique } from '../model/properties/field-types.ts'
import { nameFields } from '../model/properties/person-name.ts'
import type { Field, Schema } from '../model/properties/schema.ts'
import {
  messages,
  type Validated,
  type ValidationError,
  validate,
} from '../model/validation-error.ts'
import type { RecordDatabases } from '../platform/bindings.ts'
import { publicStore } from '../store/public-store.ts'
import {
  type NewPublicPages,
  readStoredPublicPages,
  type StoredPublicPages,
  storePublicPages,
} from '../store/settings/public-pages.ts'
import type { Store } from '../store/store.ts'
import { PublicError } from './public-error.ts'

const text = (max: number) => z.string(messages.text).max(max, messages.maxCharacters(max))

const origin = z
  .string(messages.text)
  .max(255, messages.maxCharacters(255))
  .regex(/^https:\/\/[a-z0-9.-]+(?::\d{1,5})?$/, 'must be an origin, such as https://example.org.')

/** The settings of an organisation's public pages. */
export const PublicPages = z.strictObject({
  /** The fields of the members' schema that the sign-up form asks for each person. */
  signUpFields: z
    .array(z.strictObject({ id: z.string(), required: z.boolean() }), messages.list)
    .max(50, 'must be a list of at most 50.')
    .default([]),
  privacyNotice: text(2000)
    .regex(/^https:\/\/[^\s"<>\\]+$/, 'must be an address that begins with https://.')
    .optional(),
  /** The origins of the pages that may embed the public pages. */
  frameAncestors: z
    .array(origin, messages.list)
    .max(20, 'must be a list of at most 20.')
    .default([]),
  colour: z
    .string(messages.text)
    .regex(/^#[0-9a-f]{6}$/i, 'must be a colour, such as #3366cc.')
    .optional(),
  contactEmail: z.email('must be one email address.').max(320).optional(),
  contactPhone: text(50).optional(),
  /** The text that people must agree to; without it, the form asks for no consent. */
  consentText: text(1000).optional(),
  /** The hours for which a free place is held for the next person on the waiting list. */
  offerHours: z
    .int('must be a whole number.')
    .min(1, 'must be at least 1.')
    .max(168, 'must be at most 168.')
    .default(24),
  /** Whether people who signed up are reminded the day before, by mail. */
  remindsDayBefore: z.boolean().optional(),
  /** Whether every page has a link that leaves at once, for people whom somebody may watch. */
  hasExitLink: z.boolean().optional(),
})

export type PublicPages = z.infer<typeof PublicPages>

/** An organisation's public pages. */
export type Site = Omit<StoredPublicPages, 'settings'> & { settings: PublicPages }

/**
 * Opens an organisation's records for its public pages. Every statement throws 404 if the pages are
 * off or the organisation does not exist.
 */
export const openPublicStore = (databases: RecordDatabases, organisationId: string): Store =>
  publicStore(databases, organisationId, {
    permissions: fullPermissions,
    condition: sql`enabled = 1`,
    refuse: () => new PublicError('noPage'),
  })

/** Reads the settings of an organisation's public pages; the defaults if it has none. */
export const readPublicPages = async (store: Store): Promise<Site> =>
  parseSite(await readStoredPublicPages(store))

export const parseSite = ({ settings, ...pages }: StoredPublicPages): Site => ({
  ...pages,
  settings: PublicPages.parse(JSON.parse(settings)),
})

/** The schema's fields that a sign-up form can ask for. */
export const askableFields = ({ fields }: Schema): Field[] =>
  withoutDerivedFields(fields).filter((field) => hasValue(field) && !isUnique(field))

/** New settings of the public pages. A `logo` of undefined stays, null removes it; others are PNG. */
type PublicPagesInput = { enabled: boolean; settings: unknown; logo?: Uint8Array | null }

/**
 * Saves the settings of the public pages. `schema` is the members' schema. Throws 400 with every
 * validation error.
 */
export async function savePublicPages(
  store: Store,
  schema: Schema,
  input: PublicPagesInput,
): Promise<void> {
  const checked = checkPublicPages(schema, input)
  if ('errors' in checked) throw invalidInput(checked.errors)
  await storePublicPages(store, checked.value)
}

/** The values to store for new settings of the public pages, or every validation error. */
export function checkPublicPages(
  schema: Schema,
  { enabled, settings, logo }: PublicPagesInput,
): Validated<NewPublicPages> {
  const checked = validate(PublicPages, settings)
  const errors = [
    ...('errors' in checked ? checked.errors : checkSettings(checked.value, schema, enabled)),
    ...(logo ? checkLogo(logo) : []),
  ]
  if (!('value' in checked) || errors.length > 0) return { errors }
  return {
    value: {
      enabled,
      settings: JSON.stringify(checked.value),
      ...(logo !== undefined && { logo: logo && Buffer.from(logo).toString('base64') }),
    },
  }
}

/** The errors of settings for the members' schema: unknown fields and, for pages that are on, missing settings. */
export function checkSettings(
  settings: PublicPages,
  schema: Schema,
  enabled: boolean,
): ValidationError[] {
  const errors: ValidationError[] = []
  const fields = new Map(askableFields(schema).map((field) => [field.id, field]))
  const ids = new Set<string>()
  for (const { id } of settings.signUpFields) {
    const error = ids.has(id)
      ? ({ message: `has ${id} twice.`, code: 'duplicate' } as const)
      : !fields.has(id) &&
        ({
          message: `has ${id}, which is not a field for members to fill in.`,
          code: 'unknown_field',
        } as const)
    if (error) errors.push({ field: 'signUpFields', ...error })
    ids.add(id)
  }
  if (!enabled) return errors
  const required = settings.signUpFields.filter((field) => field.required)
  const hasName = nameFields([...fields.values()]).some(({ id }) =>
    required.some((field) => field.id === id),
  )
  if (!hasName)
    errors.push({
      field: 'signUpFields',
      code: 'required',
      message: 'must require a name, such as Full Name, while the pages are on.',
    })
  if (settings.privacyNotice === undefined)
    errors.push({
      field: 'privacyNotice',
      code: 'required',
      message: 'must be set while the pages are on: people must learn how their data is used.',
    })
  return errors
}

const maxLogoBytes = 64 * 1024
const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** The errors of a logo: it must be a PNG of at most 64 KiB. */
export function checkLogo(logo: Uint8Array): ValidationError[] {
  if (logo.length > maxLogoBytes)
    return [{ field: 'logo', message: 'must have at most 64 KB.', code: 'too_large' }]
  return pngSignature.every((byte, index) => logo[index] === byte)
    ? []
    : [{ field: 'logo', message: 'must be a PNG image.', code: 'invalid_format' }]
}
