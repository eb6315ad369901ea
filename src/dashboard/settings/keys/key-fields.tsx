import { permissions as allPermissions, type KeyPermission } from '../../../access/permissions.ts'
import {
  type RestrictionField,
  restrictionNames,
  restrictionsInWords,
  restrictionTable,
} from '../../../access/restrictions.ts'
import { FormFieldControl } from '../../ui/fields.tsx'
import { Checkbox, CheckboxGroup } from '../../ui/form.tsx'
import { type KeyDraft, type KeyErrors, restrictionFieldNames, switchedOn } from './key-form.ts'

const permissionLabels: Record<KeyPermission, string> = {
  read: 'read everything',
  'create-members': 'create members',
  write: 'create, change and delete everything',
  assistant: 'answer an AI assistant, which only reads',
}

type Props = { draft: KeyDraft; errors: KeyErrors }

/** Renders the form fields for a key's permissions and restrictions. */
export function KeyFields({ draft, errors }: Props) {
  const hasRestrictions = restrictionFieldNames.some(
    (name) => draft[name]?.length || errors[name] !== undefined,
  )
  return (
    <>
      <CheckboxGroup
        legend="Permissions"
        name="permissions"
        options={allPermissions.map((value) => ({ value, label: permissionLabels[value] }))}
        checkedValues={draft.permissions}
        error={errors.permissions}
      />
      <details class="fold" open={hasRestrictions}>
        <summary>Limit what it can see</summary>
        {restrictionsInWords.map((name) => {
          const restriction = restrictionTable[name]
          return (
            'fields' in restriction &&
            restriction.fields.map((field) =>
              field.options ? (
                <RestrictionGroup field={field} draft={draft} errors={errors} />
              ) : (
                <FormFieldControl
                  field={{ ...field, isLong: true, attributes: { rows: 3 } }}
                  value={draft[field.name]}
                  error={errors[field.name]}
                />
              ),
            )
          )
        })}
      </details>
    </>
  )
}

/** Renders the checkboxes of a field, after those of the restrictions in its group that are on or off. */
function RestrictionGroup({ field, draft, errors }: Props & { field: RestrictionField }) {
  const { name, label, options = [] } = field
  const switches = restrictionNames.flatMap((name) => {
    const restriction = restrictionTable[name]
    return 'checkbox' in restriction && restriction.checkbox.group === field.name
      ? [{ name, label: restriction.checkbox.label }]
      : []
  })
  const [error] = [name, ...switches.map((it) => it.name)].flatMap((it) => errors[it] ?? [])
  return (
    <CheckboxGroup
      legend={label}
      name={name}
      options={options}
      checkedValues={[draft[name]].flat()}
      error={error}
    >
      {switches.map((it) => (
        <Checkbox {...it} value={switchedOn} checkedValues={[draft[it.name]]} />
      ))}
    </CheckboxGroup>
  )
}
