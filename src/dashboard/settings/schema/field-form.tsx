import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { fieldTypeNames, fieldTypes } from '../../../model/properties/field-types.ts'
import type { Kind, Field as SchemaField } from '../../../model/properties/schema.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import type { FormField } from '../../ui/fields.tsx'
import { FieldsForm } from '../../ui/fields-form.tsx'
import type { FieldErrors } from '../../ui/form-values.ts'
import { Page } from '../../ui/page.tsx'
import { schemaPath } from '../../ui/paths.ts'
import type { FieldDraft } from './change.ts'

/** The schema version and values that the form was rendered with, and the existing field, if any. */
export type FieldFormState = {
  version: string
  renderedDraft: FieldDraft
  existing: SchemaField | undefined
}

type Props = FieldFormState & {
  c: Context<DashboardEnv>
  kind: Kind
  draft: FieldDraft
  /** The schema's own fields, in order. */
  fields: readonly SchemaField[]
  errors?: FieldErrors
  /** What prevents the change as a whole. */
  error?: string | undefined
  /** Content above the form. */
  children?: Child
}

/** Renders a form for a schema's field, with the submitted values and their errors. */
export function FieldForm(props: Props) {
  const { c, kind, draft, fields, existing, errors = {}, error, children } = props
  return (
    <Page c={c} title={existing ? `Change ${existing.label}` : `Add a field of ${kind}`}>
      {children}
      <FieldsForm
        action={fieldFormPath(c, kind, existing)}
        hidden={toHidden(props)}
        fields={listFields(fields, existing)}
        values={draft}
        errors={errors}
        error={error}
        cancelPath={schemaPath(c, kind)}
      />
    </Page>
  )
}

/** The address that a field is sent to. */
export const fieldFormPath = (
  c: Context<DashboardEnv>,
  kind: Kind,
  existing: SchemaField | undefined,
) => `${schemaPath(c, kind)}/${existing ? 'field' : 'new'}`

/** The fields of the form, without the id of an existing field. */
function listFields(
  fields: readonly SchemaField[],
  existing: SchemaField | undefined,
): readonly FormField[] {
  const id: FormField = {
    name: 'id',
    label: 'Id (optional)',
    summaryLabel: 'The id',
    help: 'The heading of the column in imports and for other programs. If you leave it empty, the label is used. You cannot change it later.',
    attributes: { maxlength: 255, autocomplete: 'off' },
  }
  const others = fields.filter((field) => field.id !== existing?.id)
  return [
    {
      name: 'label',
      label: 'Label',
      help: 'Shown on the dashboard, in tables and in profiles.',
      attributes: { required: true, maxlength: 255, autocomplete: 'off' },
    },
    ...(existing ? [] : [id]),
    {
      name: 'type',
      label: 'Type',
      options: fieldTypeNames.map((value) => ({ value, label: fieldTypes[value].label })),
    },
    {
      name: 'options',
      label: 'Options (optional)',
      summaryLabel: 'Options',
      help: 'One per line, for types with options and for tags. To show a different label for a value, add it after a bar: “f | Female”.',
      isLong: true,
    },
    {
      name: 'after',
      label: 'Position',
      options: [
        { value: '', label: 'First' },
        ...others.map((field) => ({ value: field.id, label: `After ${field.label}` })),
      ],
    },
  ]
}

/** The state of the form as hidden values. */
export const toHidden = ({ version, renderedDraft, existing }: FieldFormState) => ({
  $version: version,
  $rendered: JSON.stringify(renderedDraft),
  $id: existing?.id,
})
