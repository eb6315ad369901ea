import type { Context } from 'hono'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { type ImportForm, maxFormFileBytes } from './import-form.ts'
import { StepPage } from './step-page.tsx'

type FilePageProps = { c: Context<DashboardEnv>; form?: ImportForm | undefined; error?: string }

/** Renders the form for a file or for rows pasted from a spreadsheet. */
export function FilePage({ c, form, error }: FilePageProps) {
  return (
    <StepPage
      c={c}
      step="file"
      title="Import"
      lead="Import an export from another system, a spreadsheet, a sign-in sheet or a sheet of people by dates, unchanged. Nothing is saved until you have seen the result."
      carried={{ mapping: form?.get('mapping') || undefined }}
    >
      <div class="part" data-drop>
        <div>
          <h2>A file, or rows</h2>
          <p class="hint">The service does not store the file.</p>
        </div>
        <div>
          <div class="field">
            <label for="field-file">File</label>
            <span class="hint" id="field-file-help">
              CSV, Excel (.xlsx) or another program’s data, up to {maxFormFileBytes >> 20} MB. You
              can also drop it here.
            </span>
            {error && (
              <span class="error" id="field-file-error">
                {error}
              </span>
            )}
            <input
              type="file"
              id="field-file"
              name="file"
              aria-describedby={`field-file-help${error ? ' field-file-error' : ''}`}
              aria-invalid={error && 'true'}
            />
          </div>
          <div class="field">
            <label for="field-pasted">Or paste rows from a spreadsheet</label>
            <span class="hint" id="field-pasted-help">
              Include the headings.
            </span>
            <textarea
              id="field-pasted"
              name="pasted"
              rows={5}
              spellcheck={false}
              autocomplete="off"
              aria-describedby="field-pasted-help"
            >
              {form?.pasted && `\n${form.pasted}`}
            </textarea>
          </div>
        </div>
      </div>
      <div class="save">
        <button type="submit" class="button primary" name="step" value="review">
          Read file
        </button>
      </div>
    </StepPage>
  )
}
