import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { fieldTypeNames, fieldTypes } from '../../../model/properties/field-types.ts'
import type { Kind, Field as SchemaField } from '../../../model/properties/schema.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { SaveButtons } from '../../ui/button.tsx'
import { Fields, type FormField } from '../../ui/fields.tsx'
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
  /** Errors by form field, with general ones under ''. */
  errors?: Readonly<Record<string, string>>
  /** Content above the form. */
  children?: Child
}

/** Renders a form for a schema's field, with the submitted values and their errors. */
export function FieldForm({ c, kind, draft, fields, errors = {}, children, ...state }: Props) {
  const { existing } = state
  const path = schemaPath(c, kind)
  const title = existing ? `Change ${existing.label}` : `Add a field of ${kind}`
  return (
    <Page c={c} title={title}>
      {Object.keys(errors).length > 0 && (
        <p role="alert">{errors[''] ?? 'Nothing was saved. Correct the errors below.'}</p>
      )}
      {children}
      <section>
        <form method="post" action={existing ? `${path}/field` : `${path}/new`}>
          <HiddenInputs {...state} />
          <Fields fields={listFields(fields, existing)} values={draft} errors={errors} />
          <SaveButtons cancelPath={path} />
        </form>
      </section>
    </Page>
  )
}

/** Returns the fields of the form, without the id of an existing field. */
function listFields(
  fields: readonly SchemaField[],
  existing: SchemaField | undefined,
): readonly FormField[] {
  const id: FormField = {
    name: 'id',
    label: 'Id (optional)',
    help: 'The name in the API and in imports. If you leave it empty, the label is used. You cannot change it later.',
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

/** Renders the hidden inputs with the form's state. */
export const HiddenInputs = ({ version, renderedDraft, existing }: FieldFormState) => (
  <>
    <input type="hidden" name="$version" value={version} />
    <input type="hidden" name="$rendered" value={JSON.stringify(renderedDraft)} />
    {existing && <input type="hidden" name="$id" value={existing.id} />}
  </>
)
