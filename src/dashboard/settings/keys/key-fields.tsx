import { type FieldCategory, fieldCategories } from '../../../access/field-categories.ts'
import { type Permission, permissions } from '../../../access/permissions.ts'
import { collectionNames } from '../../../model/collection.ts'
import { Checkbox, CheckboxGroup } from '../../ui/choices.tsx'
import { Field } from '../../ui/field.tsx'
import { toWords } from '../../ui/words.ts'
import type { KeyDraft, KeyErrors } from './forms.ts'

const permissionLabels: Record<Permission, string> = {
  read: 'read everything',
  'create-members': 'create members',
  write: 'create, change and delete everything',
}

const categoryLabels: Record<FieldCategory, string> = {
  email: 'e-mail addresses',
  phone: 'phone numbers',
  postcode: 'postcodes and addresses (their wards and other areas stay)',
  'date of birth': 'dates of birth',
  names: 'names of people, and of contacts',
  'free text': 'free text: notes, descriptions, written answers',
}

type Props = { draft: KeyDraft; errors: KeyErrors }

/** The form fields for a key's permissions and restrictions. */
export function KeyFields({ draft, errors }: Props) {
  const { may, collections, privateNotes, from, kinds, fields } = draft
  return (
    <>
      <CheckboxGroup legend="Permissions" name="may" error={errors.may}>
        {permissions.map((permission) => (
          <Checkbox
            name="may"
            value={permission}
            checkedValues={may}
            label={permissionLabels[permission]}
          />
        ))}
      </CheckboxGroup>
      <details open={hasRestrictions({ draft, errors })}>
        <summary>Limit what it can see</summary>
        <CheckboxGroup
          legend="Collections (tick none to allow all)"
          name="collections"
          error={errors.collections}
        >
          {collectionNames.map((name) => (
            <Checkbox
              name="collections"
              value={name}
              checkedValues={collections}
              label={toWords(name)}
            />
          ))}
        </CheckboxGroup>
        <CheckboxGroup
          legend="Hidden fields"
          name="kinds"
          error={errors.kinds ?? errors.privateNotes}
        >
          <Checkbox
            name="privateNotes"
            value="hidden"
            checkedValues={[privateNotes]}
            label="private case notes"
          />
          {fieldCategories.map((category) => (
            <Checkbox
              name="kinds"
              value={category}
              checkedValues={kinds}
              label={categoryLabels[category]}
            />
          ))}
        </CheckboxGroup>
        <Field
          label="Other hidden fields, one per line"
          name="fields"
          help="The id of a field of people, such as “demographics.ethnicity”, or the path of a property, such as “venue.postcode”."
          error={errors.fields}
        >
          {(attributes) => (
            <textarea {...attributes} rows={3}>
              {fields}
            </textarea>
          )}
        </Field>
        <Field
          label="Allowed IP addresses or networks, one per line (leave empty to allow all)"
          name="from"
          help="For example “203.0.113.7”, “203.0.113.0/24” or “2001:db8::/32”."
          error={errors.from}
        >
          {(attributes) => (
            <textarea {...attributes} rows={2}>
              {from}
            </textarea>
          )}
        </Field>
      </details>
    </>
  )
}

// Opens the section if any of its fields has a value or an error.
const restrictionFields = ['collections', 'privateNotes', 'from', 'kinds', 'fields'] as const
const hasRestrictions = ({ draft, errors }: Props) =>
  restrictionFields.some((name) => draft[name].length > 0 || errors[name] !== undefined)
