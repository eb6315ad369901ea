import type { Context } from 'hono'
import { handleError } from '../../http/errors.ts'
import { ImportInterruptedError, UnreadableFileError } from '../../import/read/source.ts'
import { isKind } from '../../model/properties/schema.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { type ImportForm, readImportForm } from './import-form.ts'
import { type OpenedFile, openFile } from './open-file.ts'
import {
  FilePage,
  type ReportProgress,
  respond,
  StepButtons,
  StepPage,
  type StepResponse,
} from './step-page.tsx'
import { runImport, showCheckStep, showCollectionStep, showMappingStep } from './steps.tsx'

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
      form.release()
    }
  })
}

async function runStep(
  c: DashboardContext,
  form: ImportForm,
  progress: ReportProgress,
): Promise<StepResponse> {
  const { step } = form
  if (step === 'file') return { page: String(<FilePage c={c} form={form} />), status: 200 }
  if (!form.source) {
    const message = form.has('mapping') ? 'Choose the file again.' : 'Choose a file, or paste rows.'
    return { page: String(<FilePage c={c} form={form} error={message} />), status: 400 }
  }
  const opened = await openFile(c, form, form.source, progress)
  const { collection, schemas } = opened
  if (collection === undefined) {
    return showCollectionStep(
      opened,
      step === 'collection' ? undefined : 'Choose a collection for the rows.',
    )
  }
  if (isKind(collection) && !schemas[collection] && !can(c, 'administer')) {
    return showCollectionStep(
      opened,
      `There is no schema for ${collection} yet. Ask an administrator to import the first file.`,
    )
  }
  try {
    return await dispatchStep(step, opened)
  } catch (error) {
    // The collection step lets people choose the form that the rows answer.
    if (error instanceof UnreadableFileError && opened.forms.length > 0)
      return showCollectionStep(opened)
    throw error
  }
}

function dispatchStep(step: string, opened: OpenedFile): Promise<StepResponse> {
  switch (step) {
    case 'mapping':
      return showMappingStep(opened)
    case 'check':
      return showCheckStep(opened)
    case 'import-valid':
    case 'import-all':
      return runImport(opened, step === 'import-all')
    default:
      return showCollectionStep(opened)
  }
}

/** Renders an error and keeps the choices. An unreadable file leads back to the file page. */
async function renderError(
  c: DashboardContext,
  error: unknown,
  form?: ImportForm,
): Promise<StepResponse> {
  if (error instanceof UnreadableFileError) {
    const problem = error.line > 0 ? `Line ${error.line} ${error.message}` : `It ${error.message}`
    return { page: String(<FilePage c={c} {...(form && { form })} error={problem} />), status: 400 }
  }
  const cause = error instanceof ImportInterruptedError && error.cause ? error.cause : error
  if (!(cause instanceof Error)) throw cause
  const response = handleError(cause, c)
  const { message } = await response.json<{ message: string }>()
  const progressNote = error instanceof ImportInterruptedError ? `${error.message} ` : ''
  return {
    page: String(<ErrorPage c={c} form={form} error={`${progressNote}${message}`} />),
    status: response.status as StepResponse['status'],
  }
}

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
      <StepButtons previousStep="file" />
    </StepPage>
  )
}
