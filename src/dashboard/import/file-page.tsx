import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { Field } from '../parts/field.tsx'
import { type Form, mostOfFile } from './form.ts'
import { Acts, Frame } from './frame.tsx'

type Props = { c: Context<DashboardEnv>; form?: Form; fault?: string }

/** Asks for the file, or for rows from a spreadsheet. */
export function FilePage({ c, form, fault }: Props) {
  return (
    <Frame c={c} step="file" title="Import" mapping={form?.one('mapping')}>
      <section data-drop>
        <p>
          An export of another system, a spreadsheet, a list: take it as it is. You will see what
          would happen before anything is kept.
        </p>
        <Field
          label="A file"
          name="file"
          fault={fault}
          help={`CSV, Excel (.xlsx) or JSON, of at most ${mostOfFile >> 20} MiB. You can also drop it here.`}
        >
          {(tied) => <input type="file" {...tied} />}
        </Field>
        <Field
          label="Or rows from a spreadsheet"
          name="pasted"
          help="Copy them there with their headings, and paste them here."
        >
          {(tied) => (
            <textarea {...tied} rows={5} spellcheck={false} autocomplete="off">
              {form?.pasted && `\n${form.pasted}`}
            </textarea>
          )}
        </Field>
        <Acts>
          <button type="submit" name="step" value="what">
            Look at it
          </button>
        </Acts>
      </section>
    </Frame>
  )
}
