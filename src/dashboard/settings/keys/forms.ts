import * as z from 'zod'
import { isFieldCategory } from '../../../access/field-categories.ts'
import { defaultPermissions, validatePermissions } from '../../../access/permissions.ts'
import { parseRestrictions } from '../../../access/restrictions.ts'
import { KeyExpiry } from '../../../admin/key-expiry.ts'
import type { KeyAccess } from '../../../admin/keys.ts'
import type { ListedKey } from '../../../admin/list-keys.ts'
import { fromLondon } from '../../../model/timestamp.ts'
import { checkboxValues } from '../../ui/checkbox.ts'

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
  grace: z
    .enum(gracePeriodNames, `must be one of: ${gracePeriodNames.join(', ')}.`)
    .transform((name) => gracePeriods[name]),
})

const optionalText = z.string().default('')

/** The values of a key's form as typed, valid or not. */
export const KeyDraft = z.object({
  name: optionalText,
  expires: optionalText,
  may: checkboxValues,
  collections: checkboxValues,
  privateNotes: z.enum(['', 'hidden']).default(''),
  from: optionalText,
  kinds: checkboxValues,
  fields: optionalText,
})

export type KeyDraft = z.infer<typeof KeyDraft>

/** The errors of a key's form, by field. */
export type KeyErrors = Partial<Record<keyof KeyDraft, string>>

/** The initial values of the form for a new key. */
export const emptyKeyDraft: KeyDraft = KeyDraft.parse({ may: [...defaultPermissions] })

/** The form values of an existing key. */
export function toKeyDraft({ name, rights, limits }: ListedKey): KeyDraft {
  const { collections = [], privateNotes, from = [], without = [] } = parseRestrictions(limits)
  return {
    name,
    expires: '',
    may: rights.split(','),
    collections: [...collections],
    privateNotes: privateNotes === false ? 'hidden' : '',
    from: from.join('\n'),
    kinds: without.filter(isFieldCategory),
    fields: without.filter((name) => !isFieldCategory(name)).join('\n'),
  }
}

/** Parses a key's permissions and restrictions from its form. */
export const KeyAccessForm = KeyDraft.extend({
  may: checkboxValues.superRefine((permissions, ctx) => {
    const error = validatePermissions(permissions)
    if (error) ctx.addIssue(error)
  }),
}).transform(
  ({ may, collections, privateNotes, from, kinds, fields }): KeyAccess => ({
    may,
    limits: {
      collections,
      privateNotes: privateNotes === 'hidden' ? false : undefined,
      from: splitLines(from),
      without: [...kinds, ...splitLines(fields)],
    },
  }),
)

/** Parses the name and expiry of a new key. */
export const NewKeyForm = z.object({
  name: z
    .string('must be given.')
    .trim()
    .min(1, 'must be given.')
    .max(100, 'must have at most 100 characters.'),
  expires: z.preprocess(
    (value) => (value ? toEndOfDay(String(value)) : undefined),
    KeyExpiry.optional(),
  ),
})

// Pages show UK time, so the key expires at the end of the chosen day in the UK.
const toEndOfDay = (day: string) => fromLondon(`${day}T23:59`) ?? day

const splitLines = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
