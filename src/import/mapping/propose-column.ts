import { mappedCellFor } from '../../model/properties/field-types.ts'
import type { Field } from '../../model/properties/schema.ts'
import { type Assignment, isNamed } from './assign-targets.ts'
import { type ColumnParsing, chooseParsing, type DateOrderHints } from './choose-parsing.ts'
import type { ColumnFacts, Example } from './column-facts.ts'
import { canonicalName, normaliseHeading } from './heading-names.ts'
import { inferType } from './infer-type.ts'
import type { CellType, MappedColumn } from './mapping.ts'
import { createField } from './new-fields.ts'
import type { TargetField } from './target-fields.ts'

/** A source column, its type and the decisions to report. */
export type ReportedColumn = {
  heading: string
  as?: CellType
  filled: number
  examples: Example[]
  decisions: string[]
  /** A new field for the schema that would hold the column. */
  proposed?: Field
}

/** A column of the report, and what the mapping has for it. */
type ColumnProposal = { reported: ReportedColumn; mapped: MappedColumn[] }

/** What the proposals for all columns of a table depend on. */
export type ColumnContext = {
  headings: readonly string[]
  targetFields: readonly TargetField[]
  assignments: readonly Assignment[]
  /** The field of the record's id, and the columns that hold it; none for an id that is made. */
  idPath: string
  idColumns: readonly string[]
  /** The columns that describe the file rather than a record. */
  rowNumbers: readonly string[]
  order: DateOrderHints
  /** Whether a column without a target field can become a new field. */
  isOfPeople: boolean
  addsFields: boolean
}

/** Proposes target fields for a column, a new field, or to leave it out. `newFields` are those of the columns before it. */
export function proposeColumn(
  heading: string,
  facts: ColumnFacts | undefined,
  context: ColumnContext,
  newFields: readonly Field[],
): ColumnProposal {
  if (!facts) return { reported: { heading, filled: 0, examples: [], decisions: [] }, mapped: [] }
  const column = { heading, filled: facts.filled, examples: facts.examples }
  const isId = context.idColumns.includes(heading)
  const assigned = parseAssigned(heading, facts, context)
  const mapped = [
    ...(isId ? [{ heading, field: context.idPath, as: 'text' as const }] : []),
    ...assigned.map((it) => toMappedColumn(it, facts)),
  ]
  const leftOut = { heading, field: null, as: 'text' as const }
  if (context.rowNumbers.includes(heading))
    return { reported: { ...column, decisions: [rowNumberNote] }, mapped: [...mapped, leftOut] }
  const isEmpty = facts.filled === 0
  const isMapped = assigned.length > 0 || (isId && !isPersonalNumber(heading))
  if (context.isOfPeople && !isMapped && !isEmpty) {
    const created = proposeNewField(heading, facts, context, newFields)
    return {
      reported: { ...column, ...created.reported },
      mapped: [...mapped, created.mapped],
    }
  }
  const [first] = assigned
  const decisions = assigned.flatMap(({ parsing }) => parsing.decisions)
  return {
    reported: {
      ...column,
      ...(first && { as: first.parsing.as }),
      decisions: [...new Set([...decisions, ...describeNames(heading, facts)])],
    },
    mapped: mapped.length > 0 || isEmpty ? mapped : [leftOut],
  }
}

type AssignedColumn = { assignment: Assignment; parsing: ColumnParsing }

/** The target fields of a column besides the id, and how their cells are parsed. */
const parseAssigned = (
  heading: string,
  facts: ColumnFacts,
  { assignments, order }: ColumnContext,
): AssignedColumn[] =>
  assignments
    .filter((assignment) => assignment.heading === heading && !assignment.targetField.isId)
    .map((assignment) => ({ assignment, parsing: chooseParsing(assignment.as, facts, order) }))

function toMappedColumn({ assignment, parsing }: AssignedColumn, facts: ColumnFacts): MappedColumn {
  const { heading, targetField, as, by } = assignment
  return {
    heading,
    field: targetField.path,
    ...omitDecisions(parsing),
    ...(by && { by }),
    ...(isSurnameFirst(heading, facts) && as === 'text' && { nameParts: namePartsOf(targetField) }),
  }
}

/** Proposes a new field for a column, which is mapped to it only if the import adds fields. */
function proposeNewField(
  heading: string,
  facts: ColumnFacts,
  { headings, targetFields, order, addsFields }: ColumnContext,
  newFields: readonly Field[],
) {
  const inferred = inferType(heading, facts)
  const field = createField(heading, inferred, [
    ...targetFields.map(({ path }) => path),
    ...newFields.map(({ id }) => id),
    // "Email 2" must not become the field "Email" if another column has that heading.
    ...headings.filter((other) => other !== heading),
  ])
  const parsing = chooseParsing(mappedCellFor(inferred.type), facts, order)
  const names = describeNames(heading, facts)
  return {
    reported: {
      as: parsing.as,
      decisions: [...inferred.decisions, ...parsing.decisions, ...names],
      proposed: field,
    },
    mapped: {
      heading,
      field: addsFields ? field.id : null,
      ...omitDecisions(parsing),
      ...(isSurnameFirst(heading, facts) && { nameParts: wholeName }),
    },
  }
}

const rowNumberNote = 'It describes the file rather than a record, so it is left out.'

/** Whether a column has names such as "SMITH, Jane". */
const isSurnameFirst = (heading: string, facts: ColumnFacts) =>
  facts.isSurnameFirst && canonicalName(heading) === 'Full Name'

const describeNames = (heading: string, facts: ColumnFacts): string[] =>
  isSurnameFirst(heading, facts)
    ? ['Names such as "SMITH, Jane" are read with the first name first.']
    : []

const wholeName: MappedColumn['nameParts'] = ['first', 'last']

/** The parts of a name that a field takes: one part, or both. */
function namePartsOf(targetField: TargetField): MappedColumn['nameParts'] {
  if (isNamed(targetField, 'First Name')) return ['first']
  return isNamed(targetField, 'Surname') ? ['last'] : wholeName
}

const omitDecisions = ({
  decisions: _,
  ...parsing
}: ColumnParsing): Omit<ColumnParsing, 'decisions'> => parsing

/** Whether an id column is also a number that people use, such as a membership number. */
const isPersonalNumber = (heading: string) =>
  /(?:number|no|ref|reference|code)$/.test(normaliseHeading(heading))
