import { references } from '../../model/references.ts'
import type { Assigned } from './assign.ts'
import { usualName } from './called.ts'

/**
 * Whether columns tell a record from the others of its collection, in this file and in the next. Those
 * that only say whom or what it is of do not: a person has several notes, and a grant several
 * payments. A booking is known by its event and who comes.
 */
export function tellsApart(
  collection: string,
  found: readonly Assigned[],
): (columns: readonly string[]) => boolean {
  if (!references.some(({ from }) => from === collection)) return () => true
  const hasEvent = found.some(({ place }) => place.reference?.to === 'events')
  return (columns) => {
    const others = columns.map((heading) => otherOf(heading, found))
    if (others.includes(undefined)) return true
    // An event that no column gives is the same in all rows, and is part of the id.
    return (
      collection === 'bookings' &&
      others.includes('members') &&
      (others.includes('events') || !hasEvent)
    )
  }
}

/** The collection of another record that a column tells of; undefined where it tells of its own. */
function otherOf(heading: string, found: readonly Assigned[]): string | undefined {
  const own = found.filter((one) => one.heading === heading)
  const to = own.find(({ place }) => place.reference)?.place.reference?.to
  if (to !== undefined || own.some(({ place }) => place.isId)) return to
  const usual = usualName(heading) ?? ''
  if (ofPeople.test(usual)) return 'members'
  return ofEvents.test(usual) ? 'events' : undefined
}

const ofPeople =
  /^(?:Record ID|Membership Number|(?:Full|First) Name|Surname|Email|Phone|Mobile|Postcode|Date of Birth)$/
const ofEvents = /^Event (?:Name|ID|Start|Start Time)$/
