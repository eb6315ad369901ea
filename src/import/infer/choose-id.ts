import { references } from '../../model/references.ts'
import { isRejectionColumn } from '../read/rejected-rows.ts'
import type { Assignment } from './assign-targets.ts'
import type { ColumnFacts } from './column-facts.ts'
import { canonicalName, detectSystem, isIdLike, normaliseHeading } from './heading-names.ts'
import type { Mapping } from './mapping.ts'
import type { Survey } from './survey.ts'

/** The columns of a record's id and the decisions to report. */
type IdChoice = { id: Mapping['id']; decisions: string[] }

/** Systems that number the rows of each file from 1: such a number does not identify a record. */
const rowNumberColumns: Readonly<Record<string, readonly string[]>> = { 'Microsoft Forms': ['id'] }

/** The columns that say nothing of a record: they number the rows of a file, or tell why a row was not imported. */
export function findRowNumbers(headings: readonly string[]): string[] {
  const systemNumbers = rowNumberColumns[detectSystem(headings) ?? ''] ?? []
  return headings.filter(
    (heading) => systemNumbers.includes(normaliseHeading(heading)) || isRejectionColumn(heading),
  )
}

/** The chosen column, if any, and the kind of records. */
type IdHints = {
  chosenColumn: string | undefined
  areAnswers: boolean
  arePeople: boolean
  /** Whether columns tell a record from the others. */
  isIdentifying: (columns: readonly string[]) => boolean
  /** Whether all rows are bookings of one event: the next sheet may number other people the same. */
  isPerEvent: boolean
}

/**
 * What makes a record the same in the next file: the column that is said, or one of ids, each of
 * them once and in every row, but for a few that people have twice; else what tells the rows from
 * each other, which for answers to a form is when they were given.
 */
export function chooseId(
  headings: readonly string[],
  survey: Survey,
  idHeading: string | undefined,
  { chosenColumn, areAnswers, arePeople, isIdentifying, isPerEvent }: IdHints,
): IdChoice {
  if (isPerEvent) {
    const { id } = chooseId(headings, survey, idHeading, {
      ...{ chosenColumn, areAnswers, arePeople, isIdentifying, isPerEvent: false },
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
  const ids = uniqueColumns(headings, survey).filter(
    (heading) =>
      heading === idHeading || (!areAnswers && isIdLike(heading) && isIdentifying([heading])),
  )
  const idColumn = ids.find((heading) => heading === idHeading) ?? ids[0]
  if (idColumn !== undefined) {
    const decisions = [`A record's id is its "${idColumn}", which is in every row and never twice.`]
    return { id: { columns: [idColumn], isMade: false }, decisions }
  }
  const nearlyUnique = filledColumns(headings, survey, ({ isNearlyUnique }) => isNearlyUnique)
  const nearlyUniqueId =
    nearlyUnique.find((heading) => heading === idHeading) ??
    (arePeople ? nearlyUnique.find(isIdLike) : undefined)
  if (nearlyUniqueId !== undefined) {
    const decisions = [
      `A record's id is its "${nearlyUniqueId}", which is in every row and hardly ever twice: a row with the id of an earlier one is a fault.`,
    ]
    return { id: { columns: [nearlyUniqueId], isMade: false }, decisions }
  }
  const key = survey.keys.find(
    (columns) =>
      isIdentifying(columns) &&
      !columns.some((heading) => rowNumbers.includes(heading)) &&
      // Who answers a form twice has two answers.
      (!areAnswers || columns.some((heading) => canonicalName(heading) === 'Created')),
  )
  if (key) return { id: { columns: [...key], isMade: true }, decisions: [describeMadeId(key)] }
  return {
    id: wholeRowId(headings, survey),
    decisions: [
      'No columns tell every record from the others, so an id is made of the whole row: a row that changes will be a new record. Choose a column for it, if one is unique.',
    ],
  }
}

/** The columns that could be ids: in every row, and never twice. */
export const uniqueColumns = (headings: readonly string[], survey: Survey): string[] =>
  filledColumns(headings, survey, ({ isUnique }) => isUnique)

function filledColumns(
  headings: readonly string[],
  survey: Survey,
  matches: (facts: ColumnFacts) => boolean,
): string[] {
  const rowNumbers = findRowNumbers(headings)
  return headings.filter((heading) => {
    const facts = survey.columns.get(heading)
    const isComplete = facts !== undefined && matches(facts) && facts.filled === survey.rows
    return isComplete && facts.maxLength <= 255 && !rowNumbers.includes(heading)
  })
}

/** An id that is made of all that a row holds. */
export const wholeRowId = (headings: readonly string[], survey: Survey): Mapping['id'] => ({
  columns: headings.filter((heading) => (survey.columns.get(heading)?.filled ?? 0) > 0),
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
 * Returns whether columns identify a record of its collection, in this file and the next. References
 * alone do not: a person has several notes, and a grant several
 * payments. An event and a member identify a booking.
 */
export function createIdentifyingCheck(
  collection: string,
  assignments: readonly Assignment[],
): (columns: readonly string[]) => boolean {
  if (!references.some(({ from }) => from === collection)) return () => true
  const hasEvent = assignments.some(({ targetField }) => targetField.reference?.to === 'events')
  return (columns) => {
    const relatedCollections = columns.map((heading) => relatedCollection(heading, assignments))
    if (relatedCollections.includes(undefined)) return true
    // An event that no column gives is the same in all rows, and is part of the id.
    return (
      collection === 'bookings' &&
      relatedCollections.includes('members') &&
      (relatedCollections.includes('events') || !hasEvent)
    )
  }
}

/** Returns the referenced collection of a column; undefined if the column describes the record itself. */
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
