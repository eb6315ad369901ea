import type { Context } from 'hono'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Field } from '../ui/field.tsx'
import { type ImportForm, maxFileBytes } from './form.ts'
import { StepButtons, StepPage } from './frame.tsx'

type Props = { c: Context<DashboardEnv>; form?: ImportForm; error?: string }

/** Asks for a file, or for rows pasted from a spreadsheet. */
export function FilePage({ c, form, error }: Props) {
  return (
    <StepPage c={c} step="file" title="Import" mapping={form?.get('mapping')}>
      <section data-drop>
        <p>
          Import an export from another system, a spreadsheet or a list, unchanged. You can check
          the result before anything is saved.
        </p>
        <Field
          label="File"
          name="file"
          error={error}
          help={`CSV, Excel (.xlsx) or JSON, up to ${maxFileBytes >> 20} MiB. You can also drop it here.`}
        >
          {(attributes) => <input type="file" {...attributes} />}
        </Field>
        <Field label="Or paste rows from a spreadsheet" name="pasted" help="Include the headings.">
          {(attributes) => (
            <textarea {...attributes} rows={5} spellcheck={false} autocomplete="off">
              {form?.pasted && `\n${form.pasted}`}
            </textarea>
          )}
        </Field>
        <StepButtons>
          <button type="submit" name="step" value="what">
            Read file
          </button>
        </StepButtons>
      </section>
    </StepPage>
  )
}
