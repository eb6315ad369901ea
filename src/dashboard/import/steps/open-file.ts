import type { Context } from 'hono'
import { organisationImports } from '../../../admin/organisation/imports.ts'
import { responsesCollection } from '../../../import/mapping/form-targets.ts'
import { inferCollection } from '../../../import/mapping/infer-collection.ts'
import {
  findMissingHeadings,
  type Inspection,
  inspectTable,
  parseMapping,
} from '../../../import/mapping/inspect-file.ts'
import { hashHeadings, type Mapping } from '../../../import/mapping/mapping.ts'
import { openTable } from '../../../import/rows/open-table.ts'
import { asWorkbook, type SourceTable } from '../../../import/rows/table.ts'
import { type Source, UnreadableFileError } from '../../../import/source/source.ts'
import { maxRecords } from '../../../import/source/upload-limits.ts'
import type { Schemas } from '../../../import/targets/open-schema.ts'
import { ApiError } from '../../../model/api-error.ts'
import { collectionNames } from '../../../model/collection.ts'
import { parseSurveyForm, type SurveyForm } from '../../../model/forms/survey-form.ts'
import { kindNames } from '../../../model/properties/schema.ts'
import { formatNumber } from '../../../platform/format-number.ts'
import { yieldToEventLoop } from '../../../platform/yield.ts'
import { readVisibleSchema } from '../../../store/read/single.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import type { ImportForm } from './import-form.ts'
import type { ReportProgress } from './step-page.tsx'

/** An opened file with its collection, mapping and forms. */
export type OpenedFile = {
  c: Context<DashboardEnv>
  form: ImportForm
  table: SourceTable
  source: Source
  /** A hash of the headings. Files with the same headings share a saved mapping. */
  kind: string
  usesSavedMapping: boolean
  /** The collection of the rows, chosen or inferred, and the reason for an inferred one. */
  collection: string | undefined
  because: string | undefined
  /** The chosen or saved mapping. */
  mapping: Mapping | undefined
  schemas: Schemas
  /** The organisation's forms, if the rows answer one. */
  forms: readonly SurveyForm[]
  progress: ReportProgress
}

/** Opens the file of a step. Throws UnreadableFileError if it is not a table, and 400 if the mapping is invalid. */
export async function openFile(
  c: Context<DashboardEnv>,
  form: ImportForm,
  source: Source,
  progress: ReportProgress,
): Promise<OpenedFile> {
  const submittedMapping = parseSubmittedMapping(form)
  const chosenCollection = collectionNames.find((name) => name === form.get('collection'))
  const sheet = await openSheet(source, form.get('sheet'), submittedMapping?.sheet)
  const isOther = chosenCollection !== undefined && chosenCollection !== 'bookings'
  const table = limitRows(isOther ? (sheet.ticks?.matrix ?? sheet) : sheet)
  const kind = await hashHeadings(table.headings)
  const usableMapping = (mapping: Mapping | undefined) =>
    mapping &&
    findMissingHeadings(table, mapping).length === 0 &&
    (mapping.ticks === undefined) === (table.ticks === undefined)
      ? mapping
      : undefined
  const usableSubmitted = usableMapping(submittedMapping)
  const savedMapping = usableSubmitted
    ? undefined
    : usableMapping(
        parseSavedMapping(await c.var.administer(organisationImports).findMapping(kind)),
      )
  const knownMapping = usableSubmitted ?? savedMapping
  const guess = inferCollection(source.name, table)
  const formId = form.get('form')
  const isUnchanged =
    (chosenCollection === undefined || chosenCollection === knownMapping?.collection) &&
    (formId === '' || formId === knownMapping?.same.surveyId)
  const mapping = isUnchanged ? knownMapping : undefined
  const collection = chosenCollection ?? mapping?.collection ?? guess?.collection
  return {
    c,
    form,
    table,
    kind,
    collection,
    progress,
    source,
    usesSavedMapping: savedMapping !== undefined && mapping === savedMapping,
    because: collection === guess?.collection ? guess?.because : undefined,
    mapping: mapping && withSheet(mapping, table),
    schemas: await loadSchemas(c),
    forms: collection === responsesCollection && !hasFormIds(table) ? await listForms(c) : [],
  }
}

/** Whether a column names the form of each row, as in exports from this service. */
const hasFormIds = ({ headings }: SourceTable) =>
  headings.some((name) => /^survey ?id$/i.test(name))

const listForms = async (c: Context<DashboardEnv>): Promise<SurveyForm[]> =>
  (await c.var.administer(organisationImports).listForms()).map(parseSurveyForm)

/** Opens the requested sheet, the previous one, or the first. */
async function openSheet(
  source: Source,
  sheet: string,
  previousSheet: string | undefined,
): Promise<SourceTable> {
  if (sheet !== '' || previousSheet === undefined) return openTable(source, sheet || undefined)
  return openTable(source, previousSheet).catch((error: unknown) => {
    if (error instanceof UnreadableFileError) return openTable(source)
    throw error
  })
}

function withSheet(mapping: Mapping, { format }: SourceTable): Mapping {
  const workbook = asWorkbook(format)
  return workbook ? { ...mapping, sheet: workbook.sheet } : mapping
}

function parseSubmittedMapping(form: ImportForm): Mapping | undefined {
  if (!form.has('mapping')) return undefined
  const result = parseMapping(form.get('mapping'))
  if ('mapping' in result) return result.mapping
  throw new ApiError('BAD_REQUEST', 'Part of the form is missing. Start again with the file.')
}

function parseSavedMapping(text: string | undefined): Mapping | undefined {
  const result = text === undefined ? undefined : parseMapping(text)
  return result && 'mapping' in result ? result.mapping : undefined
}

async function loadSchemas({ var: { store } }: Context<DashboardEnv>): Promise<Schemas> {
  const texts = await Promise.all(kindNames.map((kind) => readVisibleSchema(store, kind)))
  return Object.fromEntries(
    kindNames.flatMap((kind, index) => {
      const text = texts[index]
      return text === undefined ? [] : [[kind, JSON.parse(text)]]
    }),
  )
}

/** Reads the whole file and inspects its columns. */
export async function surveyFile(opened: OpenedFile): Promise<Inspection> {
  const { c, form, source, table, collection, schemas, forms, mapping, because, progress } = opened
  const { organisationId } = c.var.store
  const formId = form.get('form') || String(mapping?.same.surveyId ?? '')
  const options = {
    organisationId,
    schemas,
    collection,
    progress,
    ...(forms.length > 0 && { forms: async () => forms }),
    mappingOptions: { ...(formId !== '' && { form: formId }) },
  }
  const inspected = await inspectTable(source.name, table, options)
  return { ...inspected, ...(because !== undefined && { because }) }
}

const rowsPerTurn = 500

/** Throws 413 beyond the number of rows that one request can hold in memory. Yields to the event loop while reading. */
const limitRows = (table: SourceTable): SourceTable => ({
  ...table,
  async *rows() {
    let rows = 0
    for await (const row of table.rows()) {
      if (++rows > maxRecords) throw tooManyRows(table)
      if (rows % rowsPerTurn === 0) await yieldToEventLoop()
      yield row
    }
  },
})

const tooManyRows = ({ ticks }: SourceTable) =>
  new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The file must have at most ${formatNumber(maxRecords)} ${ticks ? 'cells below its dates' : 'rows'}. Split it, or import it with the command line.`,
  )
