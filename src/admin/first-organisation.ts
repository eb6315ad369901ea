import * as z from 'zod'
import { invalidEmailMessage, isEmailAddress, normaliseSignInEmail } from '../auth/address.ts'
import { turnSetUpSessionInto } from '../auth/one-time-codes.ts'
import { ApiError, invalidInput } from '../model/api-error.ts'
import { OrganisationId } from '../model/organisation-id.ts'
import { kinds, type Schema } from '../model/properties/schema.ts'
import { messages, validate } from '../model/validation-error.ts'
import { checkPublicPages } from '../sign-up/public-pages.ts'
import { auditInsert } from '../store/audit-entry.ts'
import { anyOrganisationExists, insertOrganisationRow } from '../store/organisations.ts'
import { insertUser } from '../store/settings/memberships.ts'
import { publicPagesAudit, upsertPublicPages } from '../store/settings/public-pages.ts'
import { upsertSchema } from '../store/settings/schemas.ts'
import { administration } from '../store/terms.ts'
import { directoryStore } from '../store/trusted-store.ts'

const maxNameLength = 200

const FirstOrganisation = z.object({
  name: z
    .string(messages.text)
    .trim()
    .min(1, messages.notEmpty)
    .max(maxNameLength, messages.maxCharacters(maxNameLength)),
  email: z
    .string(messages.text)
    .trim()
    .refine(isEmailAddress, invalidEmailMessage)
    .transform(normaliseSignInEmail),
})

export type FirstOrganisationInput = {
  name: string
  /** The address of the first administrator. */
  email: string
  hasPublicPages: boolean
  /** Settings of the public pages. */
  colour: string | undefined
  privacyNotice: string | undefined
}

/** The members' fields of a new organisation, which the sign-up form asks. */
const fields = [
  ['Full Name', 'text'],
  ['Email', 'email'],
  ['Phone', 'phone'],
] as const

const membersSchema: Schema = {
  name: kinds.members.schemaName,
  fields: fields.map(([id, type], order) => ({ id, name: id, label: id, type, order })),
}

const signUpFields = membersSchema.fields.map(({ id }, index) => ({ id, required: index === 0 }))

const by = 'set-up'

/**
 * Creates the first organisation of an installation with its administrator and public pages, or nothing. The session of
 * the setup code becomes the administrator's with it, so that an interruption locks nobody out. Throws 400 with every
 * validation error, and 409 if there is an organisation already.
 */
export async function createFirstOrganisation(
  d1: D1Database,
  { name, email, hasPublicPages, ...look }: FirstOrganisationInput,
): Promise<{ id: string; email: string }> {
  const checked = validate(FirstOrganisation, { name, email })
  const pages = checkPublicPages(membersSchema, {
    enabled: hasPublicPages,
    settings: { ...look, signUpFields },
  })
  if (!('value' in checked) || !('value' in pages))
    throw invalidInput([checked, pages].flatMap((it) => ('errors' in it ? it.errors : [])))
  const { value: organisation } = checked
  const id = deriveId(organisation.name)
  const store = directoryStore(d1, id, by)
  const entry = { organisationId: id, actor: by }
  const { refused } = await store.write(
    { ...administration, unless: { exists: anyOrganisationExists } },
    [
      insertOrganisationRow({ id, name: organisation.name, created: new Date().toISOString() }),
      insertUser(store, organisation.email, 'admin'),
      auditInsert({ ...entry, action: 'user.added', detail: 'admin', target: organisation.email }),
      upsertPublicPages(store, pages.value),
      auditInsert({ ...entry, ...publicPagesAudit(pages.value) }),
      upsertSchema(store, 'members', membersSchema),
      ...turnSetUpSessionInto(organisation.email),
      auditInsert({
        organisationId: id,
        actor: organisation.email,
        action: 'user.signedIn',
        target: organisation.email,
      }),
    ],
  )
  if (refused)
    throw new ApiError('CONFLICT', 'This service has an organisation already. Sign in instead.')
  return { id, email: organisation.email }
}

/** An id for the addresses of an organisation, such as `oak-trust` for “Oak Trust”. */
function deriveId(name: string): string {
  const id = name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/\p{M}|['’]/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-|-$/g, '')
  return OrganisationId.safeParse(id).success ? id : 'organisation'
}
