import type { SurveyForm } from '../../model/forms/survey-form.ts'
import { mappedCellFor } from '../../model/properties/field-types.ts'
import type { Field } from '../../model/properties/schema.ts'
import type { DateOrder } from '../parse/dates.ts'
import { asWorkbook, type FileFormat, type SourceTable } from '../rows/table.ts'
import { type Assignment, assignRespondents, assignTargetFields } from './assign-targets.ts'
import { chooseId, createIdentifyingCheck, findRowNumbers } from './choose-id.ts'
import { type ColumnParsing, chooseParsing, detectOrder } from './choose-parsing.ts'
import type { Example } from './column-facts.ts'
import { mayHoldConsent } from './consent-columns.ts'
import { canonicalName, detectSystem, normaliseHeading } from './heading-names.ts'
import { inferType } from './infer-type.ts'
import { type CellType, type MappedColumn, type Mapping, needsEvent } from './mapping.ts'
import { addFullName, createField } from './new-fields.ts'
import type { TableFacts } from './table-facts.ts'
import type { TargetField } from './target-fields.ts'

/** Choices of the person who imports. */
export type MappingOptions = {
  order?: DateOrder
  timeZone?: string
  match?: string[]
  id?: string
  /** The id or name of the form of a file of answers. */
  form?: string
  /** Whether to add missing fields to the schema. */
  addFields?: boolean
}

/** A source column with its target fields, its type and the decisions to report. */
export type ProposedColumn = {
  heading: string
  fields: string[]
  as?: CellType
  filled: number
  examples: Example[]
  decisions: string[]
  /** A new field for the schema that would hold the column. */
  proposed?: Field
}

/** The proposed import of a file. */
export type Proposal = {
  format: FileFormat
  system?: string
  rows: number
  headingLine: number
  columns: ProposedColumn[]
  decisions: string[]
  /** Required fields that no column fills. */
  missing: TargetField[]
  mapping: Mapping
}

/** The collection of a proposal, with its target fields and the file's form. */
type ProposalContext = {
  collection: string
  targetFields: readonly TargetField[]
  isOfPeople: boolean
  hasSchema: boolean
  form?: SurveyForm | undefined
}

/** Proposes a mapping from facts about the whole table. */
export function proposeMapping(
  table: SourceTable,
  tableFacts: TableFacts,
  context: ProposalContext,
  options: MappingOptions,
): Proposal {
  const { headings, format } = table
  const facts = (heading: string) => tableFacts.columns.get(heading)
  const idPath = context.targetFields.find(({ isId }) => isId)?.path ?? ''
  const assignments = [
    ...assignTargetFields(context.collection, headings, context.targetFields),
    ...assignRespondents(context, headings, tableFacts, options.match),
  ]
  assignments.push(...splitNames(headings, tableFacts, context.targetFields, assignments))
  const idHeading = assignments.find(({ targetField }) => targetField.isId)?.heading
  const areAnswers = context.form !== undefined
  const idChoice = chooseId(headings, tableFacts, idHeading, {
    chosenColumn: options.id,
    areAnswers,
    arePeople: context.isOfPeople,
    isIdentifying: createIdentifyingCheck(context.collection, assignments),
    isPerEvent: needsEvent({
      collection: context.collection,
      columns: assignments.map(({ targetField }) => ({ field: targetField.path })),
    }),
  })
  const order = { chosenOrder: options.order, inOtherColumns: detectFileOrder(tableFacts) }
  const addsFields = context.isOfPeople && (options.addFields === true || !context.hasSchema)
  const fields: Field[] = []
  const mappedColumns: MappedColumn[] = []
  const rowNumbers = findRowNumbers(headings)

  const columns = headings.map((heading): Omit<ProposedColumn, 'fields'> => {
    const columnFacts = facts(heading)
    const column = {
      heading,
      filled: columnFacts?.filled ?? 0,
      examples: columnFacts?.examples ?? [],
    }
    if (!columnFacts) return { ...column, decisions: [] }
    const isId = !idChoice.id.isMade && idChoice.id.columns.includes(heading)
    const columnAssignments = assignments.filter(
      (assignment) => assignment.heading === heading && !assignment.targetField.isId,
    )
    if (isId) mappedColumns.push({ heading, field: idPath, as: 'text' })
    const parsings = columnAssignments.map((assignment) => ({
      assignment,
      parsing: chooseParsing(assignment.as, columnFacts, order),
    }))
    const isName = columnFacts.isSurnameFirst && canonicalName(heading) === 'Full Name'
    for (const { assignment, parsing } of parsings)
      mappedColumns.push({
        ...toMappedColumn(assignment, parsing),
        ...(isName && assignment.as === 'text' && { nameParts: namePartsOf(assignment) }),
      })
    if (rowNumbers.includes(heading)) {
      mappedColumns.push({ heading, field: null, as: 'text' })
      const decisions = ['It describes the file rather than a record, so it is left out.']
      return { ...column, decisions }
    }
    const isNeeded =
      columnAssignments.length > 0 ||
      (isId && !isPersonalNumber(heading)) ||
      columnFacts.filled === 0
    if (isNeeded || !context.isOfPeople) {
      const isLeftOut = columnAssignments.length === 0 && !isId && columnFacts.filled > 0
      if (isLeftOut) mappedColumns.push({ heading, field: null, as: 'text' })
      return {
        ...column,
        ...(parsings[0] && { as: parsings[0].parsing.as }),
        decisions: uniqueTexts([
          ...parsings.flatMap(({ parsing }) => parsing.decisions),
          ...(isName ? [surnameFirstNote] : []),
        ]),
      }
    }
    const inferred = inferType(heading, columnFacts)
    const field = createField(heading, inferred, [
      ...context.targetFields.map(({ path }) => path),
      ...fields.map(({ id }) => id),
      // "Email 2" must not become the field "Email" if another column has that heading.
      ...headings.filter((other) => other !== heading),
    ])
    const parsing = chooseParsing(mappedCellFor(inferred.type), columnFacts, order)
    if (addsFields) fields.push(field)
    mappedColumns.push({
      heading,
      field: addsFields ? field.id : null,
      ...omitDecisions(parsing),
      ...(isName && { nameParts: wholeName }),
    })
    return {
      ...column,
      as: parsing.as,
      decisions: [
        ...inferred.decisions,
        ...parsing.decisions,
        ...(isName ? [surnameFirstNote] : []),
      ],
      proposed: field,
    }
  })
  if (addsFields) mappedColumns.push(...addFullName(headings, context.targetFields, fields))
  const system = detectSystem(headings)
  const workbook = asWorkbook(format)
  return {
    format,
    ...(system && { system }),
    rows: tableFacts.rows,
    headingLine: table.headingLine,
    columns: columns.map((column) => {
      const columnFields = fieldsFor(column.heading, mappedColumns)
      const mayBeLost =
        columnFields.length === 0 && mayHoldConsent(column.heading, facts(column.heading))
      const lacksZeros = column.as !== 'phone' && facts(column.heading)?.mayLackZeros
      const decisions = [
        ...column.decisions,
        ...(mayBeLost ? [consentNote] : []),
        ...(lacksZeros ? [lostZerosNote] : []),
      ]
      return { ...column, fields: columnFields, decisions }
    }),
    decisions: idChoice.decisions,
    missing: findMissingFields(context.targetFields, mappedColumns).filter(
      ({ path }) => !(context.form && path === 'surveyId'),
    ),
    mapping: {
      collection: context.collection,
      ...(workbook && { sheet: workbook.sheet }),
      timeZone: options.timeZone ?? 'Europe/London',
      id: idChoice.id,
      match: areAnswers ? [] : (options.match ?? []),
      same: context.form ? { surveyId: context.form.formId } : {},
      columns: mappedColumns,
      fields: fields.map(({ order: _, ...field }) => field),
    },
  }
}

const consentNote =
  'It may hold a consent: map it to a field, or make sure that it can be left out.'

const lostZerosNote =
  'Some numbers begin with 0 and others are shorter: a spreadsheet may have removed a 0. They are stored unchanged.'

const surnameFirstNote = 'Names such as "SMITH, Jane" are read with the first name first.'

const wholeName: MappedColumn['nameParts'] = ['first', 'last']

/** The parts of a name that a field takes: one part, or both. */
function namePartsOf({ targetField }: Assignment): MappedColumn['nameParts'] {
  if (isNamed(targetField, 'First Name')) return ['first']
  return isNamed(targetField, 'Surname') ? ['last'] : wholeName
}

const isNamed = ({ names }: TargetField, canonical: string) =>
  names.some((name) => canonicalName(name) === canonical)

/** Assigns a column of names such as "SMITH, Jane" to the fields of first name and surname that no column fills. */
function splitNames(
  headings: readonly string[],
  tableFacts: TableFacts,
  targetFields: readonly TargetField[],
  assignments: readonly Assignment[],
): Assignment[] {
  const isFree = (targetField: TargetField) =>
    !assignments.some((assignment) => assignment.targetField === targetField)
  const heading = headings.find(
    (heading) =>
      canonicalName(heading) === 'Full Name' && tableFacts.columns.get(heading)?.isSurnameFirst,
  )
  if (heading === undefined) return []
  return ['First Name', 'Surname'].flatMap((part) => {
    const targetField = targetFields.find((field) => isNamed(field, part) && isFree(field))
    return targetField ? { heading, targetField, as: targetField.as } : []
  })
}

/** The date order of the date columns, or undefined if they disagree or show none. */
function detectFileOrder(tableFacts: TableFacts): DateOrder | undefined {
  const orders = new Set(
    [...tableFacts.columns.values()]
      .filter(({ dates, filled }) => dates >= filled * 0.9)
      .flatMap((facts) => detectOrder(facts) ?? []),
  )
  return orders.size === 1 ? [...orders][0] : undefined
}

const omitDecisions = ({
  decisions: _,
  ...reading
}: ColumnParsing): Omit<ColumnParsing, 'decisions'> => reading

const toMappedColumn = (
  { heading, targetField, by }: Assignment,
  parsing: ColumnParsing,
): MappedColumn => ({
  heading,
  field: targetField.path,
  ...omitDecisions(parsing),
  ...(by && { by }),
})

/** Whether an id column is also a number that people use, such as a membership number. */
const isPersonalNumber = (heading: string) =>
  /(?:number|no|ref|reference|code)$/.test(normaliseHeading(heading))

/** The required fields that no column fills. */
export const findMissingFields = (
  targetFields: readonly TargetField[],
  columns: readonly MappedColumn[],
) =>
  targetFields.filter(
    ({ isRequired, isId, path }) =>
      isRequired && !isId && !columns.some(({ field }) => field === path),
  )

const fieldsFor = (heading: string, mappedColumns: readonly MappedColumn[]) =>
  mappedColumns.flatMap(({ field, ...column }) =>
    column.heading === heading && field !== null ? [field] : [],
  )

const uniqueTexts = (texts: readonly string[]) => [...new Set(texts)]
