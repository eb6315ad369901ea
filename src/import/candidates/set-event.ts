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
  const { parentEventId, name, start, end }: Values = JSON.parse(document)
  const isOccurrence = typeof parentEventId === 'string' && parentEventId !== ''
  const event = {
    eventId: isOccurrence ? parentEventId : eventId,
    ...(isOccurrence && { childEventId: eventId }),
    ...(typeof name === 'string' && name !== '' && { name }),
    ...(typeof start === 'string' && { start, date: localDay(start, mapping.timeZone) }),
    ...(typeof end === 'string' && { end }),
  }
  return { ...mapping, same: { ...mapping.same, ...event } }
}

const localDay = (start: string, timeZone: string) =>
  new TimeZone(timeZone).local(Date.parse(start)).slice(0, 10)
