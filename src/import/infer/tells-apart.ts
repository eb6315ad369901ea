import { references } from '../../model/references.ts'
import type { Assignment } from './assign-targets.ts'
import { canonicalName } from './heading-names.ts'

/**
 * Whether columns tell a record from the others of its collection, in this file and in the next. Those
 * that only say whom or what it is of do not: a person has several notes, and a grant several
 * payments. A booking is known by its event and who comes.
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

/** The collection of another record that a column tells of; undefined where it tells of its own. */
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
