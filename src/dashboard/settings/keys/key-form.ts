import * as z from 'zod'
import { isFieldCategory } from '../../../access/field-categories.ts'
import type { KeyPreset } from '../../../access/key-presets.ts'
import { validatePermissions } from '../../../access/permissions.ts'
import { parseRestrictions } from '../../../access/restrictions.ts'
import type { KeyAccess } from '../../../admin/keys.ts'
import type { ListedKey } from '../../../admin/list-keys.ts'
import { toLabel } from '../../../model/properties/compile.ts'
import { fromLondon, londonDay } from '../../../model/timestamp.ts'
import { checkboxValues } from '../../ui/form.tsx'

/** The grace periods of a rotated key, in seconds. */
export const gracePeriods = {
  'not at all': 0,
  'one hour': 3600,
  'one day': 86_400,
  'one week': 7 * 86_400,
  'thirty days': 30 * 86_400,
} as const

const gracePeriodNames = Object.keys(gracePeriods) as (keyof typeof gracePeriods)[]

/** The form that rotates a key. */
export const RotateKeyForm = z.object({
  gracePeriod: z
    .enum(gracePeriodNames, `must be one of: ${gracePeriodNames.join(', ')}.`)
    .transform((name) => gracePeriods[name]),
})

const optionalText = z.string().default('')

/** The values of a key form, valid or not. */
export const KeyDraft = z.object({
  name: optionalText,
  expires: optionalText,
  permissions: checkboxValues,
  collections: checkboxValues,
  privateNotes: z.enum(['', 'hidden']).default(''),
  allowFrom: optionalText,
  hiddenCategories: checkboxValues,
  hiddenFields: optionalText,
  origins: optionalText,
})

export type KeyDraft = z.infer<typeof KeyDraft>

/** The errors of a key form by field. */
export type KeyErrors = Partial<Record<keyof KeyDraft, string>>

/** The values of a form without any. */
export const emptyKeyDraft: KeyDraft = KeyDraft.parse({})

/** Returns the form values of an existing key. */
export const toKeyDraft = ({ name, permissions, restrictions }: ListedKey): KeyDraft =>
  buildKeyDraft(
    { permissions: permissions.split(','), restrictions: parseRestrictions(restrictions) },
    { name, expires: '' },
  )

/** Returns the form values of a key with this access. */
export function buildKeyDraft(
  {
    permissions,
    restrictions,
  }: Pick<KeyPreset, 'restrictions'> & { permissions: readonly string[] },
  { name, expires }: Pick<KeyDraft, 'name' | 'expires'>,
): KeyDraft {
  const {
    collections = [],
    privateNotes,
    allowFrom = [],
    hideFields = [],
    origins = [],
  } = restrictions
  return {
    name,
    expires,
    permissions: [...permissions],
    collections: [...collections],
    privateNotes: privateNotes === false ? 'hidden' : '',
    allowFrom: allowFrom.join('\n'),
    hiddenCategories: hideFields.filter(isFieldCategory),
    hiddenFields: hideFields.filter((name) => !isFieldCategory(name)).join('\n'),
    origins: origins.join('\n'),
  }
}

/** The parser for a key's permissions and restrictions. */
export const KeyAccessForm = KeyDraft.extend({
  permissions: checkboxValues.superRefine((permissions, ctx) => {
    const error = validatePermissions(permissions)
    if (error) ctx.addIssue(error)
  }),
}).transform(
  ({
    permissions,
    collections,
    privateNotes,
    allowFrom,
    hiddenCategories,
    hiddenFields,
    origins,
  }): KeyAccess => ({
    permissions,
    restrictions: {
      collections,
      privateNotes: privateNotes === 'hidden' ? false : undefined,
      allowFrom: splitLines(allowFrom),
      hideFields: [...hiddenCategories, ...splitLines(hiddenFields)],
      origins: splitLines(origins),
    },
  }),
)

/** The choices of a new key's expiry, in days. */
const expiryDays: Readonly<Record<string, number | undefined>> = {
  'in 1 year': 365,
  'in 90 days': 90,
  'in 30 days': 30,
  never: undefined,
}

/** The choices of a new key's expiry, as options. */
export const expiryChoices = Object.keys(expiryDays).map((value) => ({
  value,
  label: toLabel(value),
}))

/** The parser for a new key's name and expiry. */
export const NewKeyForm = z.object({
  name: z
    .string('must be given.')
    .trim()
    .min(1, 'must be given.')
    .max(100, 'must have at most 100 characters.'),
  expires: z
    .enum(Object.keys(expiryDays), `must be one of: ${Object.keys(expiryDays).join(', ')}.`)
    .default('in 1 year')
    .transform((choice) => toEndOfDay(expiryDays[choice])),
})

// Pages show UK time, so a key expires at the end of a day in the UK.
function toEndOfDay(days: number | undefined): string | undefined {
  if (days === undefined) return undefined
  const day = londonDay(Date.now() + days * 86_400_000)
  return fromLondon(`${day}T23:59`)
}

const splitLines = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
