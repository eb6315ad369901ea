import { references } from '../../model/references.ts'
import type { Assignment } from './assign-targets.ts'
import { canonicalName } from './heading-names.ts'

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
