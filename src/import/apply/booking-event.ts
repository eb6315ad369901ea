import type { Values } from '../../model/properties/schema.ts'
import type { ErrorCode } from '../../model/validation-error.ts'
import { TimeZone } from '../../platform/time-zone.ts'
import type { Mapping } from '../infer/mapping.ts'
import { needsEvent } from '../infer/mapping.ts'
import type { TableDestination } from './destination.ts'
import type { IdentifiedRow } from './identify.ts'

/** Asked when imported bookings do not name their event. */
export const eventQuestion = 'Which event was this for?'

/** Returns a mapping for the bookings of one event; for an occurrence, also of the repeated event. Undefined if the event does not exist. */
export async function setEvent(
  destination: TableDestination,
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

/** Returns the error of a booking without an event, or of a booking that the row would move to another event unasked; `isOfId` if the id is wrong. */
export function findEventError(
  { collection, columns }: Mapping,
  { row, before, after }: { row: IdentifiedRow; before: Values | undefined; after: Values },
): { message: string; code: ErrorCode; isOfId: boolean } | undefined {
  if (collection !== 'bookings') return undefined
  if (!after.eventId) {
    const advice = needsEvent({ collection, columns }) ? ' Name it by --event, or in a column.' : ''
    return {
      message: `has no event. ${eventQuestion}${advice}`,
      code: 'required',
      isOfId: false,
    }
  }
  const isMoved = ['eventId', 'childEventId'].some(
    (path) => before?.[path] && before[path] !== after[path],
  )
  if (!isMoved || row.chosenRecord === row.id) return undefined
  return {
    message: 'is that of a booking for another event: choose another id.',
    code: 'conflict',
    isOfId: true,
  }
}

const localDay = (start: string, timeZone: string) =>
  new TimeZone(timeZone).local(Date.parse(start)).slice(0, 10)
