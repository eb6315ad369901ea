import { type KeyPermission, permissions } from '../../../access/permissions.ts'
import {
  type RestrictionField,
  restrictionNames,
  restrictionsInWords,
  restrictionTable,
} from '../../../access/restrictions.ts'
import { Checkbox, CheckboxGroup } from '../../ui/controls.tsx'
import type { CustomField, FormField, FormItem } from '../../ui/fields.tsx'
import { textOf, textsOf } from '../../ui/form-values.ts'
import { expiryChoices, switchedOn } from './key-form.ts'

const permissionLabels: Record<KeyPermission, string> = {
  read: 'read everything',
  'create-members': 'create members',
  write: 'create, change and delete everything',
  assistant: 'answer an AI assistant, which only reads',
  'manage-webhooks': 'add and remove webhooks, messages to another program about changes',
}

/** The fields that only a new key has. */
export const newKeyFields: readonly FormField[] = [
  {
    name: 'name',
    label: 'Name',
    attributes: {
      placeholder: 'For example: Excel, board report',
      required: true,
      maxlength: 100,
      autocomplete: 'off',
    },
  },
  { name: 'expires', label: 'Expires', options: expiryChoices },
]

export const permissionField: FormField = {
  name: 'permissions',
  label: 'Permissions',
  options: permissions.map((value) => ({ value, label: permissionLabels[value] })),
  hasSeveral: true,
}

/** The fields of a key's restrictions. */
export const restrictionFields: readonly FormItem[] = restrictionsInWords.flatMap((name) => {
  const restriction = restrictionTable[name]
  return 'fields' in restriction ? restriction.fields.map(toFormItem) : []
})

function toFormItem({ options, ...field }: RestrictionField): FormItem {
  if (options) return toGroup({ ...field, options })
  return { ...field, isLong: true, attributes: { rows: 3 } }
}

/** The checkboxes of a field, after those of the restrictions in its group that are on or off. */
function toGroup({
  name,
  label,
  summaryLabel = label,
  options = [],
}: RestrictionField): CustomField {
  const switches = restrictionNames.flatMap((switchName) => {
    const restriction = restrictionTable[switchName]
    return 'checkbox' in restriction && restriction.checkbox.group === name
      ? [{ name: switchName, label: restriction.checkbox.label }]
      : []
  })
  const names = [name, ...switches.map((it) => it.name)]
  return {
    label,
    summaryLabel,
    names,
    lists: [name],
    Control: ({ values, errors }) => (
      <CheckboxGroup
        legend={label}
        name={name}
        options={options}
        checkedValues={textsOf(values, name)}
        error={names.flatMap((it) => errors[it] ?? [])[0]}
      >
        {switches.map((it) => (
          <Checkbox {...it} value={switchedOn} checkedValues={[textOf(values, it.name)]} />
        ))}
      </CheckboxGroup>
    ),
  }
}
