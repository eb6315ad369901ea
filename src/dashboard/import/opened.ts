import type { Context } from 'hono'
import { inferCollection } from '../../import/infer/collection.ts'
import { hashHeadings } from '../../import/infer/file-kind.ts'
import { parseForm, type SurveyForm } from '../../import/infer/form-targets.ts'
import {
  findMissingHeadings,
  type Inspection,
  inspectTable,
  parseMapping,
  type Schemas,
} from '../../import/infer/inspect.ts'
import type { Mapping } from '../../import/mapping.ts'
import { openTable } from '../../import/read/open-table.ts'
import type { Table } from '../../import/read/table.ts'
import { type Source, UnreadableFileError } from '../../import/read.ts'
import { ApiError } from '../../model/api-error.ts'
import { collectionNames } from '../../model/collection-names.ts'
import { kindNames } from '../../model/schema.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import type { ReportProgress } from './answer.ts'
import { limitRows } from './bounded.ts'
import type { ImportForm } from './form.ts'

/** A file as every step finds it before it goes on. */
export type OpenedFile = {
  c: Context<DashboardEnv>
  form: ImportForm
  table: Table
  name: string
  /** Of which kind the file is, and whether it is read as the last of its kind was. */
  kind: string
  usesSavedMapping: boolean
  /** What its rows are, if that was chosen or can be told, and why. */
  collection: string | undefined
  because: string | undefined
  /** How it is read, as far as that was chosen, or as the last of its kind was. */
  mapping: Mapping | undefined
  schemas: Schemas
  /** The forms there are, where the rows are answers to one. */
  forms: readonly SurveyForm[]
  progress: ReportProgress
}

/** Opens the file that a step came with. Throws Unreadable where it is no table, 400 where the choices did not come whole. */
export async function openFile(
  c: Context<DashboardEnv>,
  form: ImportForm,
  source: Source,
  progress: ReportProgress,
): Promise<OpenedFile> {
  const submittedMapping = parseSubmittedMapping(form)
  const table = limitRows(await openSheet(source, form.get('sheet'), submittedMapping?.sheet))
  const kind = await hashHeadings(table.headings)
  const usableMapping = (mapping: Mapping | undefined) =>
    mapping && findMissingHeadings(table, mapping).length === 0 ? mapping : undefined
  const usableSubmitted = usableMapping(submittedMapping)
  const savedMapping = usableSubmitted
    ? undefined
    : usableMapping(parseSavedMapping(await c.var.imports.findMapping(kind)))
  const knownMapping = usableSubmitted ?? savedMapping
  const guess = inferCollection(source.name, table.headings)
  const chosenCollection = collectionNames.find((name) => name === form.get('collection'))
  const formId = form.get('form')
  const isUnchanged =
    (chosenCollection === undefined || chosenCollection === knownMapping?.collection) &&
    (formId === '' || formId === knownMapping?.same.surveyId)
  const mapping = isUnchanged ? knownMapping : undefined
  const collection = chosenCollection ?? mapping?.collection ?? guess?.collection
  return {
    ...{ c, form, table, kind, collection, progress },
    name: source.name,
    usesSavedMapping: savedMapping !== undefined && mapping === savedMapping,
    because: collection === guess?.collection ? guess?.because : undefined,
    mapping: mapping && withSheet(mapping, table),
    schemas: await loadSchemas(c),
    forms: collection === responsesCollection && !hasFormIds(table) ? await listForms(c) : [],
  }
}

const responsesCollection = 'survey-responses'

/** Whether the rows say themselves which form they answer, as what was exported here does. */
const hasFormIds = ({ headings }: Table) => headings.some((name) => /^survey ?id$/i.test(name))

const listForms = async (c: Context<DashboardEnv>): Promise<SurveyForm[]> =>
  (await c.var.imports.forms()).map(parseForm)

/** The sheet that is asked for; or the one that was read before, if there is one of its name. */
async function openSheet(
  source: Source,
  sheet: string,
  previousSheet: string | undefined,
): Promise<Table> {
  if (sheet !== '' || previousSheet === undefined) return openTable(source, sheet || undefined)
  return openTable(source, previousSheet).catch((error: unknown) => {
    if (error instanceof UnreadableFileError) return openTable(source)
    throw error
  })
}

const withSheet = (mapping: Mapping, { format }: Table): Mapping =>
  format.kind === 'xlsx' ? { ...mapping, sheet: format.sheet } : mapping

function parseSubmittedMapping(form: ImportForm): Mapping | undefined {
  if (!form.has('mapping')) return undefined
  const result = parseMapping(form.get('mapping'))
  if ('mapping' in result) return result.mapping
  throw new ApiError('BAD_REQUEST', 'The form was not sent whole: begin with the file again.')
}

function parseSavedMapping(text: string | undefined): Mapping | undefined {
  const result = text === undefined ? undefined : parseMapping(text)
  return result && 'mapping' in result ? result.mapping : undefined
}

async function loadSchemas({ var: { store } }: Context<DashboardEnv>): Promise<Schemas> {
  const texts = await Promise.all(kindNames.map((kind) => store.schema(kind)))
  return Object.fromEntries(
    kindNames.flatMap((kind, index) => {
      const text = texts[index]
      return text === undefined ? [] : [[kind, JSON.parse(text)]]
    }),
  )
}

/** Reads the file from end to end: what is in it, and what it is taken for. */
export async function surveyFile(opened: OpenedFile): Promise<Inspection> {
  const { c, form, name, table, collection, schemas, forms, mapping, because, progress } = opened
  const { organisationId } = c.var.store
  const formId = form.get('form') || String(mapping?.same.surveyId ?? '')
  const options = {
    ...{ organisationId, schemas, collection, progress },
    ...(forms.length > 0 && { forms: async () => forms }),
    mappingOptions: { ...(formId !== '' && { form: formId }) },
  }
  const inspected = await inspectTable(name, table, options)
  return { ...inspected, ...(because !== undefined && { because }) }
}
