import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { DashboardEnv } from '../session/signed-in.ts'
import { dashboardPath, Page } from '../ui/page.tsx'
import type { ImportForm } from './form.ts'

/** The steps of an import in order, with their labels. */
const steps = [
  ['file', 'File'],
  ['what', 'Collection'],
  ['where', 'Mapping'],
  ['check', 'Check'],
  ['done', 'Done'],
] as const

export type Step = (typeof steps)[number][0]

type Props = {
  c: Context<DashboardEnv>
  step: Step
  title: string
  /** An error that belongs to no field. */
  error?: string | undefined
  form?: ImportForm | undefined
  /** As JSON text. */
  mapping?: string | undefined
  /** The number of rows in the file. */
  rows?: number | undefined
  children: Child
}

/**
 * The page of a step. Its form carries all choices so far, so the service stores nothing. The file is
 * sent with each step: by the script, or chosen again without it.
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
            class={index < current ? 'past' : undefined}
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
          <div class="field" data-again>
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

/** The buttons of a step. Going back loses nothing. */
export function StepButtons({ previousStep, children }: { previousStep?: Step; children?: Child }) {
  return (
    <div class="acts">
      {children}
      {previousStep && (
        <button type="submit" class="plain" name="step" value={previousStep} data-back>
          Back
        </button>
      )}
    </div>
  )
}

/** The path of the import pages. */
export const importPath = (c: Context<DashboardEnv>) => dashboardPath(c, '/import')
