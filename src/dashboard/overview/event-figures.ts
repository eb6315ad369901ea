import { countBy } from '../../store/read/figures.ts'
import { sortedRecords } from '../../store/read/sorted.ts'
import type { Store } from '../../store/store.ts'

/** An event with its attendance. */
export type EventFigure = {
  id: string
  name: string
  start: string
  attending: number
  /** Capacity less bookings marked as attending; undefined without a capacity. */
  placesLeft: number | undefined
}

/** Counts the attended bookings of each month, up to and including `today`. */
export async function countAttendance(
  store: Store,
  months: readonly string[],
  today: string,
): Promise<Map<string, number>> {
  const [from = ''] = months
  const counts = await countBy(store, {
    ...{ collection: 'bookings', field: 'date', andTrue: 'attending', characters: 7 },
    ...{ from, to: `${today}~` },
  })
  return new Map(months.map((month) => [month, counts.get(month) ?? 0]))
}

/** Lists the events that start after a time, next first, or those before it, latest first. */
export async function listEvents(
  store: Store,
  { time, limit, isPast = false }: { time: string; limit: number; isPast?: boolean },
): Promise<EventFigure[]> {
  const { records } = await sortedRecords(store, 'events', {
    ...{ field: 'start', descending: isPast, limit },
    after: { value: time, ordinal: 0 },
  })
  const events = records.map(({ document }) => JSON.parse(document))
  const values = events.map(({ eventId }) => String(eventId))
  const attendance = await countBy(store, {
    ...{ collection: 'bookings', field: 'eventId', values, andTrue: 'attending' },
  })
  return events.map(({ eventId, name, start, bookingDetails }) => {
    const attending = attendance.get(String(eventId)) ?? 0
    const capacity: unknown = bookingDetails?.capacityTotal
    return {
      ...{ id: String(eventId), name: String(name || eventId), start: String(start) },
      attending: attending,
      placesLeft: typeof capacity === 'number' ? Math.max(0, capacity - attending) : undefined,
    }
  })
}
