import type { Values } from '../../model/properties/schema.ts'
import { TimeZone } from '../../platform/time-zone.ts'
import type { RecordDestination } from '../destination/destination.ts'
import type { Mapping } from '../mapping/mapping.ts'

/** A mapping that sets the event of all bookings, and for an occurrence also its parent event. Undefined if the event does not exist. */
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
