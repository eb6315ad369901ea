import type { Values } from '../../model/properties/schema.ts'
import { TimeZone } from '../../platform/time-zone.ts'
import type { RecordDestination } from '../destination/destination.ts'
import type { Mapping } from '../mapping/mapping.ts'

/**
 * Adds an event that a person chose to the mapping of a file of bookings: every booking gets its id, name and times. For
 * an occurrence of a series, `eventId` is the series and `childEventId` the occurrence. Undefined if the event does
 * not exist.
 */
export async function setEvent(
  destination: RecordDestination,
  mapping: Mapping,
  eventId: string,
): Promise<Mapping | undefined> {
  const document = (await destination.readDocuments('events', [eventId])).get(eventId)
  if (document === undefined) return undefined
  // Each day of a sheet of ticks has its own event.
  const event = mapping.ticks
    ? { eventId }
    : eventValues(eventId, JSON.parse(document), new TimeZone(mapping.timeZone))
  return { ...mapping, same: { ...mapping.same, ...event } }
}

/** The properties that a booking repeats of its event. */
export function eventValues(
  eventId: string,
  { parentEventId, name, start, end }: Values,
  zone: TimeZone,
) {
  const isOccurrence = typeof parentEventId === 'string' && parentEventId !== ''
  return {
    eventId: isOccurrence ? parentEventId : eventId,
    ...(isOccurrence && { childEventId: eventId }),
    ...(typeof name === 'string' && name !== '' && { name }),
    ...(typeof start === 'string' && { start, date: localDay(start, zone) }),
    ...(typeof end === 'string' && { end }),
  }
}

/** The local day of a timestamp. */
export const localDay = (start: string, zone: TimeZone): string =>
  zone.local(Date.parse(start)).slice(0, 10)
