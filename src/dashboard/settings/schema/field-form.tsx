import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { fieldTypes, type Kind, type Field as SchemaField } from '../../../model/schema.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Field } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { SaveButtons } from '../../ui/save-buttons.tsx'
import type { FieldDraft } from './draft.ts'
import { describeType, schemaPath } from './schema-page.tsx'

/** Of which version of the schema a form is, what it said when it was first shown, and the field it is of, if that is there already. */
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
  /** What is wrong, by the form's fields, and beside them under ''. */
  errors?: Readonly<Record<string, string>>
  /** What is to be seen before the form. */
  children?: Child
}

/** A form for a field of a schema. It keeps what was typed; what is wrong stands at its field. */
export function FieldForm({ c, kind, draft, fields, errors = {}, children, ...state }: Props) {
  const { existing } = state
  const path = schemaPath(c, kind)
  const title = existing ? `Change ${existing.label}` : `Add a field of ${kind}`
  return (
    <Page c={c} title={title}>
      {Object.keys(errors).length > 0 && (
        <p role="alert">{errors[''] ?? 'Nothing was saved: see what is marked below.'}</p>
      )}
      {children}
      <section>
        <form method="post" action={existing ? `${path}/field` : `${path}/new`}>
          <HiddenInputs {...state} />
          <Field
            label="Label"
            name="label"
            error={errors.label}
            help="What people read on the dashboard, in tables and in profiles."
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
              help="What the API and imports call it: the label, if you leave this empty. It cannot be changed later."
            >
              {(attributes) => (
                <input {...attributes} value={draft.id} maxlength={255} autocomplete="off" />
              )}
            </Field>
          )}
          <Field label="Type" name="type" error={errors.type}>
            {(attributes) => (
              <select {...attributes}>
                {fieldTypes.map((type) => (
                  <option value={type} selected={type === draft.type}>
                    {describeType(type)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field
            label="Options (optional)"
            name="options"
            error={errors.options}
            help="One on each line, for types with options and for tags. To show a value in other words, write them after a bar: “f | Female”."
          >
            {(attributes) => <textarea {...attributes}>{draft.options}</textarea>}
          </Field>
          <Field label="Place" name="after" error={errors.after}>
            {(attributes) => (
              <select {...attributes}>
                <option value="" selected={draft.after === ''}>
                  First
                </option>
                {fields
                  .filter(({ id }) => id !== existing?.id)
                  .map(({ id, label }) => (
                    <option value={id} selected={id === draft.after}>
                      After {label}
                    </option>
                  ))}
              </select>
            )}
          </Field>
          <SaveButtons cancelPath={path} />
        </form>
      </section>
    </Page>
  )
}

/** What a form says of itself and nobody types. */
export const HiddenInputs = ({ version, renderedDraft, existing }: FieldFormState) => (
  <>
    <input type="hidden" name="$version" value={version} />
    <input type="hidden" name="$was" value={JSON.stringify(renderedDraft)} />
    {existing && <input type="hidden" name="$id" value={existing.id} />}
  </>
)
