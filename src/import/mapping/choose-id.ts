import { references } from '../../model/references.ts'
import { isRejectionColumn } from '../rows/rejected-rows.ts'
import { parentOf } from '../targets/parents.ts'
import type { Assignment } from './assign-targets.ts'
import type { ColumnFacts } from './column-facts.ts'
import { canonicalName, detectSystem, isIdLike, normaliseHeading } from './heading-names.ts'
import type { Mapping } from './mapping.ts'
import type { TableFacts } from './table-facts.ts'

/** The columns of a record's id, and the decisions to report. */
type IdChoice = { id: Mapping['id']; decisions: string[] }

/** Row numbers by system. They start at 1 in every file, so they do not identify a record. */
const rowNumberColumns: Readonly<Record<string, readonly string[]>> = { 'Microsoft Forms': ['id'] }

/** The columns that do not describe a record: row numbers and reasons for a rejection. */
export function findRowNumbers(headings: readonly string[]): string[] {
  const systemNumbers = rowNumberColumns[detectSystem(headings) ?? ''] ?? []
  return headings.filter(
    (heading) => systemNumbers.includes(normaliseHeading(heading)) || isRejectionColumn(heading),
  )
}

/** The column that the user chose, if any, and the kind of records. */
type IdHints = {
  chosenColumn: string | undefined
  areAnswers: boolean
  arePeople: boolean
  /** Whether columns identify a record. */
  isIdentifying: (columns: readonly string[]) => boolean
  /** Whether all rows are bookings of one event. The file of another event may use the same ids for other people. */
  isPerEvent: boolean
}

/**
 * Chooses the columns that identify a record in later files: the user's choice, a unique id column,
 * a nearly unique one, a unique combination of columns, or the whole row. For answers to a form,
 * the combination includes the time of the answer.
 */
export function chooseId(
  headings: readonly string[],
  tableFacts: TableFacts,
  idHeading: string | undefined,
  { chosenColumn, areAnswers, arePeople, isIdentifying, isPerEvent }: IdHints,
): IdChoice {
  if (isPerEvent) {
    const { id } = chooseId(headings, tableFacts, idHeading, {
      chosenColumn,
      areAnswers,
      arePeople,
      isIdentifying,
      isPerEvent: false,
    })
    const headingList = id.columns.map((heading) => `"${heading}"`).join(' and ')
    return {
      id: { ...id, isMade: true },
      decisions: [`A booking is known by its event and its ${headingList}.`],
    }
  }
  if (chosenColumn !== undefined)
    return { id: { columns: [chosenColumn], isMade: false }, decisions: [] }
  const rowNumbers = findRowNumbers(headings)
  const ids = uniqueColumns(headings, tableFacts).filter(
    (heading) =>
      heading === idHeading || (!areAnswers && isIdLike(heading) && isIdentifying([heading])),
  )
  const idColumn = ids.find((heading) => heading === idHeading) ?? ids[0]
  if (idColumn !== undefined) {
    const decisions = [`A record's id is its "${idColumn}", which is in every row and never twice.`]
    return { id: { columns: [idColumn], isMade: false }, decisions }
  }
  const nearlyUnique = filledColumns(headings, tableFacts, ({ isNearlyUnique }) => isNearlyUnique)
  const nearlyUniqueId =
    nearlyUnique.find((heading) => heading === idHeading) ??
    (arePeople ? nearlyUnique.find(isIdLike) : undefined)
  if (nearlyUniqueId !== undefined) {
    const decisions = [
      `A record's id is its "${nearlyUniqueId}", which is in every row and hardly ever twice: a row with the id of an earlier one is a fault.`,
    ]
    return { id: { columns: [nearlyUniqueId], isMade: false }, decisions }
  }
  const key = tableFacts.keys.find(
    (columns) =>
      isIdentifying(columns) &&
      !columns.some((heading) => rowNumbers.includes(heading)) &&
      // A person may answer a form twice, so the key needs the time of the answer.
      (!areAnswers || columns.some((heading) => canonicalName(heading) === 'Created')),
  )
  if (key) return { id: { columns: [...key], isMade: true }, decisions: [describeMadeId(key)] }
  return {
    id: wholeRowId(headings, tableFacts),
    decisions: [
      'No columns tell every record from the others, so an id is made of the whole row: a row that changes will be a new record. Choose a column for it, if one is unique.',
    ],
  }
}

/** The columns that could be ids: filled in every row, without duplicates. */
export const uniqueColumns = (headings: readonly string[], tableFacts: TableFacts): string[] =>
  filledColumns(headings, tableFacts, ({ isUnique }) => isUnique)

function filledColumns(
  headings: readonly string[],
  tableFacts: TableFacts,
  matches: (facts: ColumnFacts) => boolean,
): string[] {
  const rowNumbers = findRowNumbers(headings)
  return headings.filter((heading) => {
    const facts = tableFacts.columns.get(heading)
    const isComplete = facts !== undefined && matches(facts) && facts.filled === tableFacts.rows
    return isComplete && facts.maxLength <= 255 && !rowNumbers.includes(heading)
  })
}

/** An id that is made of all columns with values. */
export const wholeRowId = (headings: readonly string[], tableFacts: TableFacts): Mapping['id'] => ({
  columns: headings.filter((heading) => (tableFacts.columns.get(heading)?.filled ?? 0) > 0),
  isMade: true,
})

function describeMadeId(key: readonly string[]): string {
  const named = key.map((heading) => `"${heading}"`).join(' and ')
  const email = key.length === 1 && key.some((heading) => canonicalName(heading) === 'Email')
  const change = email
    ? 'Who changes their address will be a new record.'
    : 'Who changes these will be a new record.'
  return `No column holds ids, so one is made of ${named}. ${change}`
}

/**
 * A function that checks whether columns identify a record, in this file and in later ones.
 * References alone do not, because a person has several notes and a grant has several disbursements; but
 * an event and a member identify a booking.
 */
export function createIdentifyingCheck(
  collection: string,
  assignments: readonly Assignment[],
): (columns: readonly string[]) => boolean {
  if (!references.some(({ from }) => from === collection)) return () => true
  const parent = parentOf(collection)?.collection
  const hasParent = assignments.some(({ targetField }) => targetField.reference?.to === parent)
  return (columns) => {
    const relatedCollections = columns.map((heading) => relatedCollection(heading, assignments))
    if (relatedCollections.includes(undefined)) return true
    // Without a column for the parent, all rows belong to one, and the id includes it.
    return (
      parent !== undefined &&
      relatedCollections.includes('members') &&
      (relatedCollections.includes(parent) || !hasParent)
    )
  }
}

/** The collection that a column refers to, or undefined if it describes the record itself. */
function relatedCollection(
  heading: string,
  assignments: readonly Assignment[],
): string | undefined {
  const columnAssignments = assignments.filter((assignment) => assignment.heading === heading)
  const relatedName = columnAssignments.find(({ targetField }) => targetField.reference)
    ?.targetField.reference?.to
  if (relatedName !== undefined || columnAssignments.some(({ targetField }) => targetField.isId))
    return relatedName
  const canonical = canonicalName(heading) ?? ''
  if (personNames.test(canonical)) return 'members'
  return eventNames.test(canonical) ? 'events' : undefined
}

const personNames =
  /^(?:Record ID|Membership Number|(?:Full|First) Name|Surname|Email|Phone|Mobile|Postcode|Date of Birth)$/
const eventNames = /^Event (?:Name|ID|Start|Start Time)$/
