import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Form } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { dashboardPath } from '../../ui/paths.ts'
import type { ImportForm } from './import-form.ts'

/** The steps of an import in order, with their labels. */
const steps = [
  ['file', 'File'],
  ['review', 'Columns and values'],
  ['done', 'Import'],
] as const

export type ImportStep = (typeof steps)[number][0]

type Props = {
  c: Context<DashboardEnv>
  step: ImportStep
  title: string
  lead?: Child
  actions?: Child
  /** A general error. */
  error?: string | undefined
  form?: ImportForm | undefined
  /** The values that the form carries to the next step, by name. */
  carried?: Readonly<Record<string, string | number | undefined>>
  children: Child
}

/**
 * Renders the page of a step. Its form carries all choices, so the service stores nothing; a script
 * sends the file again with each step, and without scripts people choose it again.
 */
export function StepPage(props: Props) {
  const { c, step, title, lead, actions, error, form, carried = {}, children } = props
  return (
    <Page
      c={c}
      title={title}
      {...(step !== 'file' && { crumbs: [{ name: 'Import', href: importPath(c) }], tabs: [] })}
      lead={lead}
      actions={actions}
    >
      <script src="/assets/import.js" defer />
      <Steps current={step} />
      {error && <p role="alert">{error}</p>}
      <Form
        action={importPath(c)}
        hidden={carried}
        attributes={{ enctype: 'multipart/form-data', 'data-import': step, novalidate: true }}
      >
        {form && form.pasted !== '' && (
          <textarea name="pasted" hidden>
            {`\n${form.pasted}`}
          </textarea>
        )}
        {children}
      </Form>
    </Page>
  )
}

function Steps({ current }: { current: ImportStep }) {
  const index = steps.findIndex(([name]) => name === current)
  return (
    <ol class="steps" aria-label="Steps">
      {steps.map(([, label], position) => (
        <li aria-current={position === index ? 'step' : undefined}>
          {position < index ? <Icon name="check" class="icon inline" /> : `${position + 1}.`}{' '}
          {label}
        </li>
      ))}
    </ol>
  )
}

/** Renders the input for the file that a browser without a script must send again. */
export function FileAgain({ form }: { form: ImportForm }) {
  if (form.source === undefined || form.pasted !== '') return null
  return (
    <div class="field" data-file-again>
      <label for="field-file">Choose the file again</label>
      <span class="hint" id="field-file-help">
        The service does not store the file. Without JavaScript, your browser must send it again.
      </span>
      <input type="file" id="field-file" name="file" aria-describedby="field-file-help" />
    </div>
  )
}

/** The path of the import pages. */
export const importPath = (c: Context<DashboardEnv>) => dashboardPath(c, '/import')

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
