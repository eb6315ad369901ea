import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { type Field as FieldOfSchema, fieldTypes, type Kind } from '../../model/schema.ts'
import { Page } from '../page.tsx'
import { Field } from '../parts/field.tsx'
import { SaveActs } from '../parts/save-acts.tsx'
import type { Draft } from './draft.ts'
import { pathOfSchema, typeInWords } from './schema-page.tsx'

/** Of which version of the schema a form is, what it said when it was first shown, and the field it is of, if that is there already. */
export type Opened = { version: string; was: Draft; known: FieldOfSchema | undefined }

type Props = Opened & {
  c: Context<DashboardEnv>
  kind: Kind
  draft: Draft
  /** The schema's own fields, in order. */
  fields: readonly FieldOfSchema[]
  /** What is wrong, by the form's fields, and beside them under ''. */
  faults?: Readonly<Record<string, string>>
  /** What is to be seen before the form. */
  children?: Child
}

/** A form for a field of a schema. It keeps what was typed; what is wrong stands at its field. */
export function FieldForm({ c, kind, draft, fields, faults = {}, children, ...opened }: Props) {
  const { known } = opened
  const path = pathOfSchema(c, kind)
  const title = known ? `Change ${known.label}` : `Add a field of ${kind}`
  return (
    <Page c={c} title={title}>
      {Object.keys(faults).length > 0 && (
        <p role="alert">{faults[''] ?? 'Nothing was saved: see what is marked below.'}</p>
      )}
      {children}
      <section>
        <form method="post" action={known ? `${path}/field` : `${path}/new`}>
          <Hidden {...opened} />
          <Field
            label="Label"
            name="label"
            fault={faults.label}
            help="What people read on the dashboard, in tables and in profiles."
          >
            {(tied) => (
              <input {...tied} value={draft.label} required maxlength={255} autocomplete="off" />
            )}
          </Field>
          {!known && (
            <Field
              label="Id (optional)"
              name="id"
              fault={faults.id}
              help="What the API and imports call it: the label, if you leave this empty. It cannot be changed later."
            >
              {(tied) => <input {...tied} value={draft.id} maxlength={255} autocomplete="off" />}
            </Field>
          )}
          <Field label="Type" name="type" fault={faults.type}>
            {(tied) => (
              <select {...tied}>
                {fieldTypes.map((type) => (
                  <option value={type} selected={type === draft.type}>
                    {typeInWords(type)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field
            label="Options (optional)"
            name="options"
            fault={faults.options}
            help="One on each line, for types with options and for tags. To show a value in other words, write them after a bar: “f | Female”."
          >
            {(tied) => <textarea {...tied}>{draft.options}</textarea>}
          </Field>
          <Field label="Place" name="after" fault={faults.after}>
            {(tied) => (
              <select {...tied}>
                <option value="" selected={draft.after === ''}>
                  First
                </option>
                {fields
                  .filter(({ id }) => id !== known?.id)
                  .map(({ id, label }) => (
                    <option value={id} selected={id === draft.after}>
                      After {label}
                    </option>
                  ))}
              </select>
            )}
          </Field>
          <SaveActs back={path} />
        </form>
      </section>
    </Page>
  )
}

/** What a form says of itself and nobody types. */
export const Hidden = ({ version, was, known }: Opened) => (
  <>
    <input type="hidden" name="$version" value={version} />
    <input type="hidden" name="$was" value={JSON.stringify(was)} />
    {known && <input type="hidden" name="$id" value={known.id} />}
  </>
)
