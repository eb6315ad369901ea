import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { fieldTypeNames, fieldTypes } from '../../../model/properties/field-types.ts'
import type { Kind, Field as SchemaField } from '../../../model/properties/schema.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { SaveButtons } from '../../ui/button.tsx'
import { Field, SelectField } from '../../ui/form.tsx'
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
          <Field
            label="Label"
            name="label"
            error={errors.label}
            help="Shown on the dashboard, in tables and in profiles."
          >
            {(attributes) => (
              <input
                {...attributes}
                value={draft.label}
                required
                maxlength={255}
                autocomplete="off"
              />
            )}
          </Field>
          {!existing && (
            <Field
              label="Id (optional)"
              name="id"
              error={errors.id}
              help="The name in the API and in imports. If you leave it empty, the label is used. You cannot change it later."
            >
              {(attributes) => (
                <input {...attributes} value={draft.id} maxlength={255} autocomplete="off" />
              )}
            </Field>
          )}
          <SelectField
            label="Type"
            name="type"
            options={fieldTypeNames.map((value) => ({ value, label: fieldTypes[value].label }))}
            selected={draft.type}
            error={errors.type}
          />
          <Field
            label="Options (optional)"
            name="options"
            error={errors.options}
            help="One per line, for types with options and for tags. To show a different label for a value, add it after a bar: “f | Female”."
          >
            {(attributes) => <textarea {...attributes}>{draft.options}</textarea>}
          </Field>
          <SelectField
            label="Position"
            name="after"
            options={[
              { value: '', label: 'First' },
              ...fields
                .filter(({ id }) => id !== existing?.id)
                .map(({ id, label }) => ({ value: id, label: `After ${label}` })),
            ]}
            selected={draft.after}
            error={errors.after}
          />
          <SaveButtons cancelPath={path} />
        </form>
      </section>
    </Page>
  )
}

/** Renders the hidden inputs with the form's state. */
export const HiddenInputs = ({ version, renderedDraft, existing }: FieldFormState) => (
  <>
    <input type="hidden" name="$version" value={version} />
    <input type="hidden" name="$rendered" value={JSON.stringify(renderedDraft)} />
    {existing && <input type="hidden" name="$id" value={existing.id} />}
  </>
)
