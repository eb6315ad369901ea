import { type FieldCategory, fieldCategories } from '../../../access/field-categories.ts'
import { permissions as allPermissions, type KeyPermission } from '../../../access/permissions.ts'
import { collectionNames } from '../../../model/collection.ts'
import { toLabel } from '../../../model/properties/compile.ts'
import { Checkbox, CheckboxGroup, Field } from '../../ui/form.tsx'
import type { KeyDraft, KeyErrors } from './key-form.ts'

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
