import { readSortedRecords } from '../../store/read/sorted.ts'
import { countAttending } from '../../store/sign-up/event-bookings.ts'
import { findSeries } from '../../store/sign-up/series.ts'
import type { Store } from '../../store/store.ts'

const maxEvents = 200

/** An event, or a date of a series, with its attendance. */
export type EventFigure = {
  id: string
  name: string
  start: string
  /** The number of attending bookings; undefined if there are too many to count. */
  attending: number | undefined
  /** The number of places; undefined if they are unlimited, or the event recurs without dates. */
  capacity: number | undefined
}

/** Lists the dates that start in a range (from ≤ start < before), earliest first, and whether there are more than 200 events. */
export async function listEvents(
  store: Store,
  { from, before }: { from: string; before: string },
): Promise<{ events: EventFigure[]; isCut: boolean }> {
  const { records, next } = await readSortedRecords(store, 'events', {
    field: 'start',
    descending: false,
    limit: maxEvents,
    after: { value: from, ordinal: 0 },
  })
  const started = records
    .map(({ document }) => JSON.parse(document))
    .filter(({ start }) => start < before)
  const series = await findSeries(
    store,
    started.map(({ eventId }) => String(eventId)),
  )
  const dates = started.filter(({ eventId }) => !series.has(String(eventId)))
  const attendance = await countAttending(
    store,
    dates.map(({ eventId }) => String(eventId)),
  )
  const events = dates.map(
    ({ eventId, name, start, bookingDetails, parentEventId, recurrence }) => {
      // The capacity of a series is that of each occurrence.
      const isRecurring = recurrence?.recurring && !parentEventId
      const capacity: unknown = isRecurring ? undefined : bookingDetails?.capacityTotal
      return {
        id: String(eventId),
        name: String(name || eventId),
        start: String(start),
        attending: attendance?.get(String(eventId)),
        capacity: typeof capacity === 'number' ? capacity : undefined,
      }
    },
  )
  return { events, isCut: next !== undefined && started.length === maxEvents }
}
