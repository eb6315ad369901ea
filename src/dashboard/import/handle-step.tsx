import type { Context } from 'hono'
import { ImportInterruptedError, UnreadableFileError } from '../../import/source/source.ts'
import { findOpenSchema } from '../../import/targets/open-schema.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { describeImportError } from './describe-error.ts'
import { runImport, showCollectionQuestion, showReview } from './review/review-step.tsx'
import { FilePage } from './steps/file-page.tsx'
import { type ImportForm, readImportForm } from './steps/import-form.ts'
import { openFile } from './steps/open-file.ts'
import {
  importPath,
  type ReportProgress,
  respond,
  StepPage,
  type StepResponse,
} from './steps/step-page.tsx'

type DashboardContext = Context<DashboardEnv>

export const renderFilePage = (c: DashboardContext) => c.html(<FilePage c={c} />)

/** Handles one step of an import: applies the submitted file and choices, and responds with the next page. */
export async function handleStep(c: DashboardContext): Promise<Response> {
  let form: ImportForm
  try {
    form = await readImportForm(c.req, c.var.store.organisationId)
  } catch (error) {
    return respond(c, () => renderError(c, error))
  }
  return respond(c, async (progress) => {
    try {
      return await runStep(c, form, progress)
    } catch (error) {
      return await renderError(c, error, form)
    } finally {
      // The memory of an uploaded file, which is limited for all requests together.
      form.release()
    }
  })
}

async function runStep(
  c: DashboardContext,
  form: ImportForm,
  progress: ReportProgress,
): Promise<StepResponse> {
  if (!form.source) {
    const message = form.has('mapping') ? 'Choose the file again.' : 'Choose a file, or paste rows.'
    return { page: String(<FilePage c={c} form={form} error={message} />), status: 400 }
  }
  const opened = await openFile(c, form, form.source, progress)
  const { collection, schemas } = opened
  if (collection === undefined)
    return showCollectionQuestion(opened, { collection: 'Choose what the rows are.' })
  const open = findOpenSchema(collection, schemas)
  if (open && !open.schema && !can(c, 'administer')) {
    const problem = `There are no fields of ${collection} yet. Ask an administrator to import the first file.`
    return showCollectionQuestion(opened, { collection: problem })
  }
  return form.step === 'import' ? runImport(opened) : showReview(opened)
}

/** Renders an error and keeps the choices. An unreadable file leads back to the file page. */
async function renderError(
  c: DashboardContext,
  error: unknown,
  form?: ImportForm,
): Promise<StepResponse> {
  if (error instanceof UnreadableFileError) {
    const message = describeUnreadable(error)
    const problem = error.line > 0 ? `Line ${error.line} ${message}` : `It ${message}`
    return { page: String(<FilePage c={c} {...(form && { form })} error={problem} />), status: 400 }
  }
  const cause = error instanceof ImportInterruptedError && error.cause ? error.cause : error
  const { message, status } = await describeImportError(c, cause)
  const progressNote = error instanceof ImportInterruptedError ? `${error.message} ` : ''
  return {
    page: String(<ErrorPage c={c} form={form} error={`${progressNote}${message}`} />),
    status,
  }
}

/** The message of an unreadable file, without the names of formats that only engineers know. */
const describeUnreadable = ({ message }: UnreadableFileError) =>
  /\bJSON\b/.test(message)
    ? 'cannot be read: export it from the other program again, as CSV if possible.'
    : message

function ErrorPage({
  c,
  form,
  error,
}: {
  c: DashboardContext
  form: ImportForm | undefined
  error: string
}) {
  return (
    <StepPage c={c} step="file" title="The import failed" form={form} error={error}>
      <div class="save">
        <a class="button" href={importPath(c)}>
          Choose another file
        </a>
      </div>
    </StepPage>
  )
}
