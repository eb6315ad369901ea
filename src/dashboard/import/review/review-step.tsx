import { organisationImports } from '../../../admin/organisation/imports.ts'
import { serialiseMapping } from '../../../import/mapping/mapping.ts'
import { RejectedRowsWriter } from '../../../import/rows/rejected-rows.ts'
import { UnreadableFileError } from '../../../import/source/source.ts'
import { ApiError } from '../../../model/api-error.ts'
import { describeCollection } from '../../collection/collection-info.ts'
import { CollectionPage } from '../steps/collection-page.tsx'
import { DonePage } from '../steps/done-page.tsx'
import type { OpenedFile } from '../steps/open-file.ts'
import type { StepResponse } from '../steps/step-page.tsx'
import { maxReviewColumns } from './column-targets.ts'
import {
  importOpenedRows,
  type PreparedImport,
  prepareImport,
  previewRows,
} from './prepare-import.ts'
import { ReviewPage } from './review-page.tsx'

/** Shows the review page, or asks for the form that the rows answer. */
export async function showReview(opened: OpenedFile): Promise<StepResponse> {
  const prepared = await tryPrepare(opened)
  if ('page' in prepared) return prepared
  const isInvalid = prepared.error !== undefined || Object.keys(prepared.errors).length > 0
  const hasAnswers = opened.form.has('id') && (isInvalid || hasEventError(prepared))
  return renderReview(prepared, { status: hasAnswers ? 400 : 200 })
}

const hasEventError = ({ event, ticks }: PreparedImport) =>
  (event?.error ?? ticks?.error) !== undefined

/** Imports the rows with an answer. Shows the review page again if an answer is missing, or if more would change than the page showed. */
export async function runImport(opened: OpenedFile): Promise<StepResponse> {
  const prepared = await tryPrepare(opened)
  if ('page' in prepared) return prepared
  const { ready, consents, mapping, rowAnswers } = prepared
  const { c, form, table, kind, schemas } = opened
  if (!ready || consents.length > 0) {
    const error = prepared.error ?? 'Nothing was imported. Answer the questions below.'
    return renderReview(prepared, { status: 400, error })
  }
  const shown = await previewRows(prepared, ready, rowAnswers.shownAnswers)
  if (shown.result.updated > 0 && String(shown.result.changesHash) !== form.get('changes')) {
    const error =
      'Nothing was imported yet: your answers change other values than the page showed. Check them below.'
    return renderReview(prepared, { status: 200, error })
  }
  const { schema } = ready
  if (schema)
    await c.var
      .administer(organisationImports)
      .extendSchema(schema.kind, schema.schema, schemas[schema.kind])
  const writer = new RejectedRowsWriter((table.ticks?.matrix ?? table).headings)
  const rejectedRows = { csv: writer.header, omitted: 0 }
  const answers = { ...rowAnswers.answers, leftOut: shown.answers.leftOut }
  const { result, importId } = await importOpenedRows(prepared, ready, answers, {
    writes: true,
    rejected(row, reasons, choice) {
      if (rejectedRows.csv.length > maxRejectedLength) rejectedRows.omitted++
      else rejectedRows.csv += writer.row(row, reasons, choice)
    },
  })
  await c.var.administer(organisationImports).saveMapping(kind, serialiseMapping(mapping))
  return respondOk(
    <DonePage
      c={c}
      form={form}
      mapping={mapping}
      result={result}
      rejectedRows={rejectedRows}
      importId={importId}
    />,
  )
}

const maxRejectedLength = 4 << 20

/** Prepares the file. Asks for the form if the rows could answer several. */
async function tryPrepare(opened: OpenedFile): Promise<PreparedImport | StepResponse> {
  try {
    const prepared = await prepareImport(opened)
    requireFewColumns(prepared)
    return prepared
  } catch (error) {
    if (!(error instanceof UnreadableFileError) || opened.forms.length === 0) throw error
    return showCollectionQuestion(opened, { form: `It ${error.message}` })
  }
}

/** Shows the page that asks for the collection or the form of the rows. */
export function showCollectionQuestion(
  opened: OpenedFile,
  errors: { collection?: string; form?: string },
): StepResponse {
  return { page: String(<CollectionPage opened={opened} errors={errors} />), status: 400 }
}

const maxChoices = 60_000

/** Throws 413 for more columns than a page can show. */
function requireFewColumns({ inspected: { table, targetFields } }: PreparedImport): void {
  const columns = table.headings.length
  if (columns <= maxReviewColumns && columns * targetFields.length <= maxChoices) return
  const message = `The file has ${columns} columns for ${targetFields.length} fields, more than this page can show. Import it with the command line.`
  throw new ApiError('PAYLOAD_TOO_LARGE', message)
}

async function renderReview(
  prepared: PreparedImport,
  { status, error }: { status: 200 | 400; error?: string },
): Promise<StepResponse> {
  const { opened, mapping, ready, rowAnswers } = prepared
  const preview = ready && (await previewRows(prepared, ready, rowAnswers.answers))
  const { schema } = prepared.inspected
  const hasRecords = !schema || schema.schema
  const collection = hasRecords ? await describeCollection(opened.c, mapping.collection) : undefined
  const props = { prepared, result: preview?.result, collection, ...(error && { error }) }
  return { page: String(<ReviewPage {...props} />), status }
}

const respondOk = (page: { toString(): string }): StepResponse => ({
  page: String(page),
  status: 200,
})
