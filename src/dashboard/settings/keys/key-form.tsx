import * as z from 'zod'
import {
  type FieldCategory,
  fieldCategories,
  isFieldCategory,
} from '../../../access/field-categories.ts'
import type { KeyPreset } from '../../../access/key-presets.ts'
import {
  permissions as allPermissions,
  type KeyPermission,
  validatePermissions,
} from '../../../access/permissions.ts'
import { parseRestrictions } from '../../../access/restrictions.ts'
import type { KeyAccess } from '../../../admin/keys.ts'
import type { ListedKey } from '../../../admin/list-keys.ts'
import { collectionNames } from '../../../model/collection.ts'
import { toLabel } from '../../../model/properties/compile.ts'
import { fromLondon } from '../../../model/timestamp.ts'
import { Checkbox, CheckboxGroup, checkboxValues, Field } from '../../ui/form.tsx'

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
  const day = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  return fromLondon(`${day}T23:59`)
}

const splitLines = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

const permissionLabels: Record<KeyPermission, string> = {
  read: 'read everything',
  'create-members': 'create members',
  write: 'create, change and delete everything',
  assistant: 'answer an AI assistant, which only reads',
}

const categoryLabels: Record<FieldCategory, string> = {
  email: 'e-mail addresses',
  phone: 'phone numbers',
  postcode: 'postcodes and addresses (their wards and other areas stay)',
  'date of birth': 'dates of birth',
  names: 'names of people, and of contacts',
  'free text': 'free text: notes, descriptions, written answers',
  'special category':
    'special category data: ethnicity, religion, health, disability, benefits, convictions',
}

type Props = { draft: KeyDraft; errors: KeyErrors }

/** Renders the form fields for a key's permissions and restrictions. */
export function KeyFields({ draft, errors }: Props) {
  const { permissions, collections, privateNotes, hiddenCategories } = draft
  const renderLines = (
    name: 'hiddenFields' | 'allowFrom' | 'origins',
    label: string,
    help: string,
  ) => (
    <Field label={label} name={name} help={help} error={errors[name]}>
      {(attributes) => (
        <textarea {...attributes} rows={3}>
          {draft[name]}
        </textarea>
      )}
    </Field>
  )
  return (
    <>
      <CheckboxGroup
        legend="Permissions"
        name="permissions"
        options={allPermissions.map((value) => ({ value, label: permissionLabels[value] }))}
        checkedValues={permissions}
        error={errors.permissions}
      />
      <details class="fold" open={hasRestrictions({ draft, errors })}>
        <summary>Limit what it can see</summary>
        <CheckboxGroup
          legend="Collections (tick none to allow all)"
          name="collections"
          options={collectionNames.map((value) => ({ value, label: toLabel(value) }))}
          checkedValues={collections}
          error={errors.collections}
        />
        <CheckboxGroup
          legend="Hidden fields"
          name="hiddenCategories"
          options={fieldCategories.map((value) => ({ value, label: categoryLabels[value] }))}
          checkedValues={hiddenCategories}
          error={errors.hiddenCategories ?? errors.privateNotes}
        >
          <Checkbox
            name="privateNotes"
            value="hidden"
            checkedValues={[privateNotes]}
            label="private case notes"
          />
        </CheckboxGroup>
        {renderLines(
          'hiddenFields',
          'Other hidden fields, one per line',
          'The id of a field of people, such as “demographics.ethnicity”, or the path of a property, such as “venue.postcode”.',
        )}
        {renderLines(
          'allowFrom',
          'Allowed IP addresses or networks, one per line (leave empty to allow all)',
          'For example “203.0.113.7”, “203.0.113.0/24” or “2001:db8::/32”.',
        )}
        {renderLines(
          'origins',
          'Web pages that may use it, one origin per line (leave empty to allow none)',
          'For example “https://www.example.org”. Everybody who opens such a page can copy the key: let it only create members, or read no personal data.',
        )}
      </details>
    </>
  )
}

// The section is open if one of these fields has a value or an error.
const restrictionFields = [
  'collections',
  'privateNotes',
  'allowFrom',
  'hiddenCategories',
  'hiddenFields',
  'origins',
] as const
const hasRestrictions = ({ draft, errors }: Props) =>
  restrictionFields.some((name) => draft[name].length > 0 || errors[name] !== undefined)
