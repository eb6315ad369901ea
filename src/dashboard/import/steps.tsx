import { setEvent } from '../../import/apply/booking-event.ts'
import { createDestination } from '../../import/apply/destination.ts'
import type { ImportResult } from '../../import/apply/import-result.ts'
import { importTable } from '../../import/apply/import-table.ts'
import { buildTableRules } from '../../import/apply/table-rules.ts'
import type { Inspection } from '../../import/infer/inspect.ts'
import type { Mapping } from '../../import/infer/mapping.ts'
import { chosenEventId, needsEvent, serialiseMapping } from '../../import/infer/mapping.ts'
import { RejectedRowsWriter } from '../../import/read/rejected-rows.ts'
import { UnreadableFileError } from '../../import/read/source.ts'
import { eventQuestion } from '../../import/targets/require-event.ts'
import { ApiError } from '../../model/api-error.ts'
import type { ValidationError } from '../../model/validation-error.ts'
import { ImportRun } from '../../store/settings/import-run.ts'
import { can } from '../session/permissions.ts'
import { applyChoices, type ErrorCollector } from './apply-choices.ts'
import { CollectionPage } from './collection-page.tsx'
import type { ImportForm } from './import-form.ts'
import { listEventOptions, MappingPage } from './mapping-page.tsx'
import { type OpenedFile, surveyFile } from './open-file.ts'
import { CheckPage, DonePage } from './result-pages.tsx'
import type { StepResponse } from './step-page.tsx'
import { maxColumns } from './targets.ts'

/** Shows the collection step. Keeps the choices of people who return from the mapping step. */
export async function showCollectionStep(
  opened: OpenedFile,
  error?: string,
): Promise<StepResponse> {
  const { c, form, table, usesSavedMapping, forms } = opened
  const inspection = opened.collection === undefined ? undefined : await trySurvey(opened)
  const inspected = inspection && 'survey' in inspection ? inspection : undefined
  const previous = inspected && (opened.mapping ?? inspected.proposal.mapping)
  const mapping =
    inspected && previous && hasColumnChoices(form)
      ? applyChoices(form, previous, inspected).mapping
      : opened.mapping
  const { collection } = opened
  const errors = {
    ...(error && { collection: error }),
    ...(inspection && 'ambiguity' in inspection && { form: inspection.ambiguity }),
  }
  const props = { c, form, table, inspected, collection, mapping, usesSavedMapping, forms, errors }
  return {
    page: String(<CollectionPage {...props} />),
    status: Object.keys(errors).length > 0 ? 400 : 200,
  }
}

/** Inspects the file. Returns an explanation if the rows could answer several forms. */
async function trySurvey(opened: OpenedFile): Promise<Inspection | { ambiguity: string }> {
  try {
    return await surveyFile(opened)
  } catch (error) {
    if (error instanceof UnreadableFileError && opened.forms.length > 0)
      return { ambiguity: `It ${error.message}` }
    throw error
  }
}

/** Returns whether the form has target fields of columns. */
const hasColumnChoices = (form: ImportForm) => form.has('target.0')

/** Shows the mapping step with any errors. */
export async function showMappingStep(
  opened: OpenedFile,
  inspected?: Inspection,
  problems?: MappingProblems,
): Promise<StepResponse> {
  const { c, form } = opened
  const inspection = inspected ?? (await surveyFile(opened))
  const { headings } = inspection.table
  if (
    headings.length > maxColumns ||
    headings.length * inspection.targetFields.length > maxChoices
  ) {
    const message = `The file has ${headings.length} columns for ${inspection.targetFields.length} fields, more than this page can show. Import it with the command line.`
    throw new ApiError('PAYLOAD_TOO_LARGE', message)
  }
  const mapping = problems?.mapping ?? opened.mapping ?? inspection.proposal.mapping
  const events = needsEvent(mapping) ? await listEventOptions(c) : []
  const props = { c, form, inspected: inspection, ...problems, mapping, events }
  return {
    page: String(<MappingPage {...props} />),
    status: problems ? 400 : 200,
  }
}

const maxChoices = 60_000

type MappingProblems = { mapping: Mapping; errors?: ErrorCollector; error?: string | undefined }

type PreparedImport = { mapping: Mapping } & Extract<
  Awaited<ReturnType<typeof buildTableRules>>,
  { rules: object }
>

/** Returns the mapping and the rules for its records, or the mapping step with errors. */
async function prepareImport(
  opened: OpenedFile,
): Promise<{ response: StepResponse } | PreparedImport> {
  const { c, form, schemas } = opened
  let { mapping } = opened
  let inspected: Inspection | undefined
  if (hasColumnChoices(form) || !mapping) {
    inspected = await surveyFile(opened)
    const previous = mapping ?? inspected.proposal.mapping
    const choices = hasColumnChoices(form)
      ? applyChoices(form, previous, inspected)
      : { mapping: previous, errors: {} }
    mapping = choices.mapping
    if (Object.keys(choices.errors).length > 0) {
      return { response: await showMappingStep(opened, inspected, choices) }
    }
  }
  if (needsEvent(mapping)) {
    const mappingWithEvent = await setEvent(
      (await openDestination(opened, mapping)).destination,
      mapping,
      chosenEventId(mapping),
    )
    if (!mappingWithEvent) {
      const errors = { 'shared.eventId': `${eventQuestion} Choose an event.` }
      return { response: await showMappingStep(opened, inspected, { mapping, errors }) }
    }
    mapping = mappingWithEvent
  }
  const { organisationId } = c.var.store
  const ready = await buildTableRules(mapping, organisationId, schemas, async () => opened.forms)
  if ('errors' in ready) {
    return {
      response: await showMappingStep(opened, inspected, toMappingProblems(mapping, ready.errors)),
    }
  }
  if (ready.schema && !can(c, 'administer')) {
    const error = 'Only administrators can add fields to the schema. Leave these columns out.'
    return { response: await showMappingStep(opened, inspected, { mapping, error }) }
  }
  return { mapping, ...ready }
}

/** Assigns a mapping's errors to the form's fields. */
function toMappingProblems(mapping: Mapping, errors: readonly ValidationError[]): MappingProblems {
  const match = errors.find(({ field }) => field === 'match')
  const otherErrors = errors.filter((error) => error !== match)
  return {
    mapping,
    ...(match && { errors: { match: match.message } }),
    ...(otherErrors.length > 0 && {
      error: otherErrors.map(({ field, message }) => `${field} ${message}`).join(' '),
    }),
  }
}

/** Performs a dry run and shows its result. */
export async function showCheckStep(opened: OpenedFile): Promise<StepResponse> {
  const ready = await prepareImport(opened)
  if ('response' in ready) return ready.response
  const { mapping } = ready
  const { result } = await importFile(opened, ready, { writes: false })
  return renderCheckPage(opened, mapping, result)
}

function renderCheckPage(
  { c, form }: OpenedFile,
  mapping: Mapping,
  result: ImportResult,
  error?: string,
) {
  const addedFields = mapping.fields.length
  return respondOk(
    <CheckPage {...{ c, form, mapping, result, addedFields }} {...(error && { error })} />,
  )
}

/** Imports the valid rows; with `allOrNone`, imports nothing if any row is invalid. */
export async function runImport(opened: OpenedFile, allOrNone: boolean): Promise<StepResponse> {
  const { c, form, table, kind, schemas } = opened
  const ready = await prepareImport(opened)
  if ('response' in ready) return ready.response
  const { mapping, schema } = ready
  if (allOrNone) {
    const { result } = await importFile(opened, ready, { writes: false })
    const error = 'Nothing was imported: some rows have errors.'
    if (result.rejected > 0) return renderCheckPage(opened, mapping, result, error)
  }
  if (schema) await c.var.imports.extendSchema(schema.kind, schema.schema, schemas[schema.kind])
  const writer = new RejectedRowsWriter(table.headings)
  const rejectedRows = { csv: writer.header, omitted: 0 }
  const { result, importId } = await importFile(opened, ready, {
    writes: true,
    rejected(row, reasons, choice) {
      if (rejectedRows.csv.length > maxRejectedLength) rejectedRows.omitted++
      else rejectedRows.csv += writer.row(row, reasons, choice)
    },
  })
  await c.var.imports.saveMapping(kind, serialiseMapping(mapping))
  return respondOk(<DonePage {...{ c, form, mapping, result, rejectedRows, importId }} />)
}

const maxRejectedLength = 4 << 20

type ImportOptions = Pick<Parameters<typeof importTable>[4], 'writes' | 'rejected'>

async function openDestination({ c, form, name }: OpenedFile, { collection }: Mapping) {
  const { destination } = await c.var.openRecords()
  const isFile = form.pasted === ''
  const run = new ImportRun(c.var.store, { collection, ...(isFile && { file: name }) })
  return { run, destination: createDestination(destination, collection, run) }
}

async function importFile(opened: OpenedFile, { rules }: PreparedImport, options: ImportOptions) {
  const { form, table, name, progress } = opened
  const { destination, run } = await openDestination(opened, rules.mapping)
  const totalRows = Number(form.get('rows')) || undefined
  const result = await importTable(name, table, rules, destination, {
    ...options,
    progress: (rows) => progress(rows, totalRows),
  })
  return { result, importId: run.id }
}

const respondOk = (page: { toString(): string }): StepResponse => ({
  page: String(page),
  status: 200,
})
