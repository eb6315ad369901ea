import type { Context } from 'hono'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Field } from '../ui/field.tsx'
import { type ImportForm, maxFileBytes } from './form.ts'
import { StepButtons, StepPage } from './frame.tsx'

type Props = { c: Context<DashboardEnv>; form?: ImportForm; error?: string }

/** Asks for the file, or for rows from a spreadsheet. */
export function FilePage({ c, form, error }: Props) {
  return (
    <StepPage c={c} step="file" title="Import" mapping={form?.get('mapping')}>
      <section data-drop>
        <p>
          An export of another system, a spreadsheet, a list: take it as it is. You will see what
          would happen before anything is kept.
        </p>
        <Field
          label="A file"
          name="file"
          error={error}
          help={`CSV, Excel (.xlsx) or JSON, of at most ${maxFileBytes >> 20} MiB. You can also drop it here.`}
        >
          {(attributes) => <input type="file" {...attributes} />}
        </Field>
        <Field
          label="Or rows from a spreadsheet"
          name="pasted"
          help="Copy them there with their headings, and paste them here."
        >
          {(attributes) => (
            <textarea {...attributes} rows={5} spellcheck={false} autocomplete="off">
              {form?.pasted && `\n${form.pasted}`}
            </textarea>
          )}
        </Field>
        <StepButtons>
          <button type="submit" name="step" value="what">
            Look at it
          </button>
        </StepButtons>
      </section>
    </StepPage>
  )
}
