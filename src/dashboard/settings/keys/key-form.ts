import * as z from 'zod'
import type { KeyPreset } from '../../../access/key-presets.ts'
import { validatePermissions } from '../../../access/permissions.ts'
import { parseRestrictions } from '../../../access/restriction-effects.ts'
import {
  buildRestrictions,
  type ListRestriction,
  listedNames,
  restrictionNames,
  restrictionTable,
} from '../../../access/restrictions.ts'
import type { KeyAccess } from '../../../admin/keys.ts'
import { toLabel } from '../../../model/properties/compile.ts'
import { fromLondon, londonDay } from '../../../model/timestamp.ts'
import type { ListedKey } from '../../../store/settings/list-keys.ts'
import { checkboxValues } from '../../ui/checkbox-values.ts'

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

/** The value of the checkbox of a restriction such as "hide private notes", which is `false` in the restrictions of a key. */
export const switchedOn = 'hidden'

/** The parser of a field of restrictions: a text with a line for each name, or the values of ticked checkboxes. */
type RestrictionParser = z.ZodType<string | string[]>

const restrictionParsers: readonly [string, RestrictionParser][] = restrictionNames.flatMap(
  (name): [string, RestrictionParser][] => {
    const restriction = restrictionTable[name]
    // An unknown value is an error, because taking it for an empty one would lift the restriction.
    if (!('fields' in restriction)) return [[name, z.enum(['', switchedOn]).default('')]]
    return restriction.fields.map((field) => [
      field.name,
      field.options ? checkboxValues : optionalText,
    ])
  },
)

const RestrictionsDraft = z.object(Object.fromEntries(restrictionParsers))

const OtherFields = z.object({
  name: optionalText,
  expires: optionalText,
  permissions: checkboxValues,
})

/** The values of the fields of a key form, valid or not, to render it again. */
const KeyDraft = OtherFields.and(RestrictionsDraft)

type KeyDraft = z.infer<typeof KeyDraft>

/** The form values of an existing key. */
export const toKeyDraft = ({ name, permissions, restrictions }: ListedKey): KeyDraft =>
  buildKeyDraft(
    { permissions: permissions.split(','), restrictions: parseRestrictions(restrictions) },
    { name, expires: '' },
  )

/** The form values of a key with this access. */
export function buildKeyDraft(
  {
    permissions,
    restrictions,
  }: Pick<KeyPreset, 'restrictions'> & { permissions: readonly string[] },
  { name, expires }: Pick<KeyDraft, 'name' | 'expires'>,
): KeyDraft {
  const fields = restrictionNames.flatMap((name) => {
    const restriction = restrictionTable[name]
    if (!('fields' in restriction)) return [[name, restrictions[name] === false ? switchedOn : '']]
    return splitNames(restriction, listedNames(restrictions, name))
  })
  return { ...Object.fromEntries(fields), name, expires, permissions: [...permissions] }
}

/** The values of the fields for names: each name is ticked, or has a line if no checkbox offers it. */
function splitNames({ fields }: ListRestriction, names: readonly string[]) {
  const offered = new Set(fields.flatMap(({ options = [] }) => options.map(({ value }) => value)))
  return fields.map(({ name, options }) => [
    name,
    options
      ? names.filter((it) => options.some(({ value }) => value === it))
      : names.filter((it) => !offered.has(it)).join('\n'),
  ])
}

/** The parser for a key's permissions and restrictions. */
export const KeyAccessForm = OtherFields.extend({
  permissions: checkboxValues.superRefine((permissions, ctx) => {
    const error = validatePermissions(permissions)
    if (error) ctx.addIssue(error)
  }),
})
  .and(RestrictionsDraft)
  .transform(
    ({ permissions, ...draft }): KeyAccess => ({
      permissions,
      restrictions: buildRestrictions((name) => {
        const restriction = restrictionTable[name]
        if (!('fields' in restriction)) return draft[name] === switchedOn ? false : undefined
        return restriction.fields.flatMap((field) => toNames(draft[field.name]))
      }),
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

/** The names in the value of a field: ticked ones, or one per line. */
const toNames = (value: string | string[] = []): string[] =>
  typeof value === 'string'
    ? value
        .split(/\r?\n/)
        .map((line) => line.trim())
        .filter((line) => line !== '')
    : value
