import { collectionNames } from '../../model/collection.ts'
import type { SurveyForm } from '../../model/forms/survey-form.ts'
import { type ValidationError, validate } from '../../model/validation-error.ts'
import { resources } from '../../resources/resources.ts'
import { openTable } from '../rows/open-table.ts'
import type { SourceTable } from '../rows/table.ts'
import { type Source, UnreadableFileError, unreadable } from '../source/source.ts'
import { findOpenSchema, type OpenSchema, type Schemas } from '../targets/open-schema.ts'
import { findForm, questionTargetFields, responsesCollection } from './form-targets.ts'
import { inferCollection } from './infer-collection.ts'
import { Mapping } from './mapping.ts'
import { type MappingOptions, type Proposal, proposeMapping } from './propose-mapping.ts'
import { collectTableFacts, type TableFacts } from './table-facts.ts'
import { personTargetFields, recordTargetFields, type TargetField } from './target-fields.ts'

/** The file's organisation and the choices of the person who imports it. */
export type InspectOptions = {
  organisationId: string
  schemas: Schemas
  collection?: string | undefined
  sheet?: string | undefined
  mappingOptions?: MappingOptions
  /** Loads the organisation's forms; needed only for a file of answers. */
  forms?: () => Promise<readonly SurveyForm[]>
  progress?: (rows: number) => void
}

/** An open file with facts about its columns, its target fields, the proposed mapping and the reason for its collection. */
export type Inspection = {
  table: SourceTable
  tableFacts: TableFacts
  targetFields: readonly TargetField[]
  /** The schema to which the file can add fields. */
  schema: OpenSchema | undefined
  proposal: Proposal
  because?: string
}

/** Reads a whole file and proposes a mapping, without writing. Throws UnreadableFileError with advice if the file is unreadable. */
export const inspectFile = async (source: Source, options: InspectOptions): Promise<Inspection> =>
  inspectTable(source.name, await openTable(source, options.sheet), options)

/** Reads a whole table and proposes a mapping. The file's name helps to infer the collection and the form. */
export async function inspectTable(
  name: string,
  table: SourceTable,
  options: InspectOptions,
): Promise<Inspection> {
  const guess = options.collection ? undefined : inferCollection(name, table)
  const collection = options.collection ?? guess?.collection
  if (collection === undefined || !collectionNames.includes(collection)) {
    throw new UnreadableFileError(
      0,
      `does not say what its rows are: choose a collection, one of ${collectionNames.join(', ')}.`,
    )
  }
  const tableFacts = await collectTableFacts(table, options.progress)
  if (tableFacts.rows === 0)
    throw new UnreadableFileError(table.headingLine, 'has headings, and no rows below.')
  const mappingOptions = options.mappingOptions ?? {}
  const forms = collection === responsesCollection ? await options.forms?.() : undefined
  const form =
    forms && findForm(forms, { choice: mappingOptions.form, file: name, headings: table.headings })
  const targetFields = await listTargetFields(collection, options.schemas, form)
  const schema = findOpenSchema(collection, options.schemas)
  const context = {
    collection,
    form,
    targetFields,
    isOfPeople: schema !== undefined,
    hasSchema: schema?.schema !== undefined,
  }
  const proposal = proposeMapping(table, tableFacts, context, mappingOptions)
  return {
    table,
    tableFacts,
    targetFields,
    schema,
    proposal,
    ...(guess && { because: guess.because }),
  }
}

/** The target fields of a collection, and of a form's questions if there is a form. */
export async function listTargetFields(
  collection: string,
  schemas: Schemas,
  form?: SurveyForm,
): Promise<TargetField[]> {
  const open = findOpenSchema(collection, schemas)
  if (open) return personTargetFields(open.kind, open.schema ?? { name: '', fields: [] })
  const collectionSchema = (await resources[collection]?.())?.collection
  const recordFields = collectionSchema ? recordTargetFields(collectionSchema) : []
  return form ? [...recordFields, ...questionTargetFields(form, schemas)] : recordFields
}

/** Parses a mapping from JSON, or returns its errors by property. */
export function parseMapping(text: string): { mapping: Mapping } | { errors: ValidationError[] } {
  try {
    const result = validate(Mapping, JSON.parse(text))
    return 'value' in result ? { mapping: result.value } : result
  } catch {
    return { errors: [unreadable('is not valid JSON.')] }
  }
}

/** The headings that a mapping needs and a table lacks. */
export function findMissingHeadings({ headings }: SourceTable, { columns, id }: Mapping): string[] {
  const mappedHeadings = columns.flatMap(({ heading, field }) => (field === null ? [] : heading))
  const neededHeadings = new Set([...mappedHeadings, ...id.columns])
  return [...neededHeadings].filter((heading) => !headings.includes(heading))
}

export function applyMappingOptions(
  mapping: Mapping,
  { order, timeZone, match, id }: MappingOptions,
): Mapping {
  return {
    ...mapping,
    ...(timeZone !== undefined && { timeZone }),
    ...(match && { match }),
    ...(id !== undefined && { id: { columns: [id], isMade: false } }),
    ...(mapping.ticks && order && { ticks: { ...mapping.ticks, order } }),
    columns: mapping.columns.map((column) =>
      order && column.dates && column.dates !== 'excel' ? { ...column, dates: order } : column,
    ),
  }
}
