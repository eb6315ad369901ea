import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Field } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import { dashboardPath } from '../ui/paths.ts'
import { type ImportForm, maxFileBytes } from './import-form.ts'

/** The steps of an import in order, with their labels. */
const steps = [
  ['file', 'File'],
  ['collection', 'Collection'],
  ['mapping', 'Mapping'],
  ['check', 'Check'],
  ['done', 'Done'],
] as const

export type Step = (typeof steps)[number][0]

type Props = {
  c: Context<DashboardEnv>
  step: Step
  title: string
  /** A general error. */
  error?: string | undefined
  form?: ImportForm | undefined
  /** The mapping as JSON text. */
  mapping?: string | undefined
  /** The number of rows in the file. */
  rows?: number | undefined
  children: Child
}

/**
 * Renders the page of a step. Its form carries all choices, so the service stores nothing; a script
 * sends the file again with each step, and without scripts people choose it again.
 */
export function StepPage({ c, step, title, error, form, mapping, rows, children }: Props) {
  const current = steps.findIndex(([name]) => name === step)
  const hasFile = form?.source !== undefined && form.pasted === ''
  return (
    <Page c={c} title={title}>
      <script src="/assets/import.js" defer />
      <ol class="steps" aria-label="Steps">
        {steps.map(([, label], index) => (
          <li
            class={index < current ? 'completed' : undefined}
            aria-current={index === current ? 'step' : undefined}
          >
            {label}
          </li>
        ))}
      </ol>
      {error && <p role="alert">{error}</p>}
      <form
        method="post"
        action={importPath(c)}
        enctype="multipart/form-data"
        data-import={step}
        novalidate
      >
        {form && form.pasted !== '' && (
          <textarea name="pasted" hidden>
            {`\n${form.pasted}`}
          </textarea>
        )}
        {mapping && <input type="hidden" name="mapping" value={mapping} />}
        {rows !== undefined && <input type="hidden" name="rows" value={rows} />}
        {children}
        {hasFile && step !== 'file' && step !== 'done' && (
          <div class="field" data-file-again>
            <label for="field-file">Choose the file again</label>
            <input type="file" id="field-file" name="file" aria-describedby="field-file-help" />
            <small id="field-file-help">
              The service does not store the file. Without JavaScript, your browser must send it
              with each step.
            </small>
          </div>
        )}
      </form>
    </Page>
  )
}

/** Renders the buttons of a step. The back button keeps all choices. */
export function StepButtons({ previousStep, children }: { previousStep?: Step; children?: Child }) {
  return (
    <div class="buttons">
      {children}
      {previousStep && (
        <button type="submit" class="secondary" name="step" value={previousStep} data-back>
          Back
        </button>
      )}
    </div>
  )
}

/** Returns the path of the import pages. */
export const importPath = (c: Context<DashboardEnv>) => dashboardPath(c, '/import')

type FilePageProps = { c: Context<DashboardEnv>; form?: ImportForm; error?: string }

/** Renders the form for a file or for rows pasted from a spreadsheet. */
export function FilePage({ c, form, error }: FilePageProps) {
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
          <button type="submit" name="step" value="collection">
            Read file
          </button>
        </StepButtons>
      </section>
    </StepPage>
  )
}

/** A step's page and its status. */
export type StepResponse = {
  page: string | Promise<string>
  status: 200 | 400 | 409 | 413 | 503 | 500
}

/** Receives the number of processed rows, and the total if known. */
export type ReportProgress = (rows: number, total?: number) => void

const ndjson = 'application/x-ndjson'

/** Responds with the page of a step. For a script that accepts NDJSON, streams progress lines first, always with status 200. */
export async function respond(
  c: Context<DashboardEnv>,
  work: (progress: ReportProgress) => Promise<StepResponse>,
): Promise<Response> {
  if (c.req.header('Accept') !== ndjson) {
    const { page, status } = await work(() => {})
    return c.html(page, status)
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const encoder = new TextEncoder()
  const writeLine = (line: object) => writer.write(encoder.encode(`${JSON.stringify(line)}\n`))
  // The import must continue if the browser disconnects.
  const ignoreDisconnect = () => {}
  const writePage = async () => {
    const { page } = await work(
      (rows, total) => void writeLine({ rows, total }).catch(ignoreDisconnect),
    )
    await writeLine({ page: String(await page) })
      .then(() => writer.close())
      .catch(ignoreDisconnect)
  }
  c.var.runInBackground(writePage())
  return c.body(readable, 200, { 'Content-Type': ndjson })
}
