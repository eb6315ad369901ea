import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { DashboardEnv } from '../session/signed-in.ts'
import { dashboardPath, Page } from '../ui/page.tsx'
import type { ImportForm } from './form.ts'

/** The steps of the conversation, in their order, as the page names them. */
const steps = [
  ['file', 'The file'],
  ['what', 'What it is'],
  ['where', 'What goes where'],
  ['check', 'What would happen'],
  ['done', 'Done'],
] as const

export type Step = (typeof steps)[number][0]

type Props = {
  c: Context<DashboardEnv>
  step: Step
  title: string
  /** What is wrong beside any field; and what was sent, of which the file is to come again. */
  error?: string | undefined
  form?: ImportForm | undefined
  /** As JSON text. */
  mapping?: string | undefined
  /** How many rows the file has. */
  rows?: number | undefined
  children: Child
}

/**
 * A step: a form that holds what was chosen so far, so that nothing has to be kept here. The file comes
 * again with each step: the script sends it, and without the script it is chosen again.
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
            <label for="field-file">The file, once more</label>
            <input type="file" id="field-file" name="file" aria-describedby="field-file-help" />
            <small id="field-file-help">
              It is kept nowhere here: without a script, your browser has to send it with each step.
            </small>
          </div>
        )}
      </form>
    </Page>
  )
}

/** Buttons of a step; the way back loses nothing. */
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

/** Where files are imported. */
export const importPath = (c: Context<DashboardEnv>) => dashboardPath(c, '/import')
