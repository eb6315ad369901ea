import type { SurveyForm } from '../../model/forms/survey-form.ts'
import type { Field } from '../../model/properties/schema.ts'
import type { DateOrder } from '../parse/dates.ts'
import { chooseMarkValues } from '../parse/marks.ts'
import { asWorkbook, type FileFormat, type SourceTable } from '../rows/table.ts'
import { recordHeadings } from '../rows/tick-sheet.ts'
import { parentOf } from '../targets/parents.ts'
import {
  type Assignment,
  assignRespondents,
  assignTargetFields,
  isNamed,
} from './assign-targets.ts'
import { chooseId, createIdentifyingCheck, findRowNumbers } from './choose-id.ts'
import { detectOrder } from './choose-parsing.ts'
import type { ColumnFacts } from './column-facts.ts'
import { mayHoldConsent } from './consent-columns.ts'
import { canonicalName, detectSystem } from './heading-names.ts'
import { type MappedColumn, type Mapping, needsEvent } from './mapping.ts'
import { addFullName } from './new-fields.ts'
import { type ColumnContext, proposeColumn, type ReportedColumn } from './propose-column.ts'
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

/** A source column with its target fields. */
export type ProposedColumn = ReportedColumn & { fields: string[] }

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
  const { collection, form, targetFields } = context
  const assignments = assignColumns(headings, tableFacts, context, options)
  const idChoice = chooseRecordId(recordHeadings(table), tableFacts, assignments, context, options)
  const { columns, mapped, newFields } = proposeColumns(tableFacts, {
    headings,
    targetFields,
    assignments,
    idPath: targetFields.find(({ isId }) => isId)?.path ?? '',
    idColumns: idChoice.id.isMade ? [] : idChoice.id.columns,
    rowNumbers: findRowNumbers(headings),
    order: { chosenOrder: options.order, inOtherColumns: detectFileOrder(tableFacts) },
    isOfPeople: context.isOfPeople,
    addsFields: context.isOfPeople && (options.addFields === true || !context.hasSchema),
  })
  const system = detectSystem(headings)
  const workbook = asWorkbook(format)
  return {
    format,
    ...(system && { system }),
    rows: tableFacts.rows,
    headingLine: table.headingLine,
    columns: columns.map((column) =>
      reportColumn(column, tableFacts.columns.get(column.heading), mapped),
    ),
    decisions: idChoice.decisions,
    missing: findMissingFields(targetFields, mapped).filter(
      ({ path }) => !(form && path === 'surveyId'),
    ),
    mapping: proposeTicks(table, tableFacts, options.order, {
      collection,
      ...(workbook && { sheet: workbook.sheet }),
      timeZone: options.timeZone ?? 'Europe/London',
      id: idChoice.id,
      match: form ? [] : (options.match ?? []),
      same: form ? { surveyId: form.formId } : {},
      columns: mapped,
      fields: newFields.map(({ order: _, ...field }) => field),
    }),
  }
}

/** The mapping of a sheet of ticks: its marks say who came, and its days the event. Any other mapping is unchanged. */
function proposeTicks(
  { ticks }: SourceTable,
  { columns }: TableFacts,
  order: DateOrder | undefined,
  mapping: Mapping,
): Mapping {
  if (!ticks) return mapping
  const { dayHeading, markHeading } = ticks
  const ofEvent = parentOf(mapping.collection)
  const eventFields = new Set([...(ofEvent?.paths ?? []), ...(ofEvent?.copied ?? []), 'attending'])
  const texts = columns.get(markHeading)?.values.counts?.map(([text]) => text) ?? []
  return {
    ...mapping,
    marksAttendance: true,
    ticks: order ? { order } : {},
    columns: [
      ...mapping.columns
        .filter(({ heading }) => heading !== dayHeading && heading !== markHeading)
        .map((column) =>
          eventFields.has(column.field ?? '')
            ? { heading: column.heading, field: null, as: 'text' as const }
            : column,
        ),
      { heading: dayHeading, field: null, as: 'text' },
      { heading: markHeading, field: 'attending', as: 'boolean', values: chooseMarkValues(texts) },
    ],
  }
}

/** Assigns columns to target fields: by name, the respondents of answers, and the parts of names. */
function assignColumns(
  headings: readonly string[],
  tableFacts: TableFacts,
  context: ProposalContext,
  { match }: MappingOptions,
): Assignment[] {
  const assignments = [
    ...assignTargetFields(context.collection, headings, context.targetFields),
    ...assignRespondents(context, headings, tableFacts, match),
  ]
  return [...assignments, ...splitNames(headings, tableFacts, context.targetFields, assignments)]
}

function chooseRecordId(
  headings: readonly string[],
  tableFacts: TableFacts,
  assignments: readonly Assignment[],
  { collection, form, isOfPeople }: ProposalContext,
  { id }: MappingOptions,
) {
  const idHeading = assignments.find(({ targetField }) => targetField.isId)?.heading
  return chooseId(headings, tableFacts, idHeading, {
    chosenColumn: id,
    areAnswers: form !== undefined,
    arePeople: isOfPeople,
    isIdentifying: createIdentifyingCheck(collection, assignments),
    isPerEvent: needsEvent({
      collection,
      columns: assignments.map(({ targetField }) => ({ field: targetField.path })),
    }),
  })
}

/** Proposes all columns of a table in order, because the ids of new fields must differ. */
function proposeColumns(tableFacts: TableFacts, context: ColumnContext) {
  const columns: ReportedColumn[] = []
  const mapped: MappedColumn[] = []
  const newFields: Field[] = []
  for (const heading of context.headings) {
    const facts = tableFacts.columns.get(heading)
    const proposal = proposeColumn(heading, facts, context, newFields)
    const { proposed } = proposal.reported
    columns.push(proposal.reported)
    mapped.push(...proposal.mapped)
    if (context.addsFields && proposed) newFields.push(proposed)
  }
  if (context.addsFields)
    mapped.push(...addFullName(context.headings, context.targetFields, newFields))
  return { columns, mapped, newFields }
}

/** Adds the fields of a column to its report, and warnings about values that the import may lose. */
function reportColumn(
  column: ReportedColumn,
  facts: ColumnFacts | undefined,
  mapped: readonly MappedColumn[],
): ProposedColumn {
  const fields = mapped.flatMap(({ heading, field }) =>
    heading === column.heading && field !== null ? [field] : [],
  )
  const mayLoseConsent = fields.length === 0 && mayHoldConsent(column.heading, facts)
  const lacksZeros = column.as !== 'phone' && facts?.mayLackZeros
  return {
    ...column,
    fields,
    decisions: [
      ...column.decisions,
      ...(mayLoseConsent ? [consentNote] : []),
      ...(lacksZeros ? [lostZerosNote] : []),
    ],
  }
}

const consentNote =
  'It may hold a consent: map it to a field, or make sure that it can be left out.'

const lostZerosNote =
  'Some numbers begin with 0 and others are shorter: a spreadsheet may have removed a 0. They are stored unchanged.'

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

/** The required fields that no column fills. */
export const findMissingFields = (
  targetFields: readonly TargetField[],
  columns: readonly MappedColumn[],
) =>
  targetFields.filter(
    ({ isRequired, isId, path }) =>
      isRequired && !isId && !columns.some(({ field }) => field === path),
  )
