import { readSortedRecords } from '../../store/read/sorted.ts'
import { countAttending } from '../../store/sign-up/event-bookings.ts'
import type { Store } from '../../store/store.ts'

const maxEvents = 200

/** An event with its attendance. */
export type EventFigure = {
  id: string
  name: string
  start: string
  /** The number of attending bookings; undefined if there are too many to count. */
  attending: number | undefined
  /** The number of places; undefined if they are unlimited, or the event is a series. */
  capacity: number | undefined
}

/** Lists the events that start in a range (from ≤ start < before), earliest first, and whether there are more than 200. */
export async function listEvents(
  store: Store,
  { from, before }: { from: string; before: string },
): Promise<{ events: EventFigure[]; isCut: boolean }> {
  const { records, next } = await readSortedRecords(store, 'events', {
    ...{ field: 'start', descending: false, limit: maxEvents },
    after: { value: from, ordinal: 0 },
  })
  const documents = records
    .map(({ document }) => JSON.parse(document))
    .filter(({ start }) => start < before)
  const attendance = await countAttending(
    store,
    documents.map(({ eventId }) => String(eventId)),
  )
  const events = documents.map(
    ({ eventId, name, start, bookingDetails, parentEventId, recurrence }) => {
      // The capacity of a series is that of each occurrence.
      const isSeries = recurrence?.recurring && !parentEventId
      const capacity: unknown = isSeries ? undefined : bookingDetails?.capacityTotal
      return {
        ...{ id: String(eventId), name: String(name || eventId), start: String(start) },
        attending: attendance?.get(String(eventId)),
        capacity: typeof capacity === 'number' ? capacity : undefined,
      }
    },
  )
  return { events, isCut: next !== undefined && documents.length === maxEvents }
}
