import { tally } from '../../store/figures.ts'
import { sortedRecords } from '../../store/sorted.ts'
import type { Store } from '../../store/store.ts'

/** An event with how many are to come, or came. */
export type EventFigure = {
  id: string
  name: string
  start: string
  attending: number
  /** How many more can come; undefined where no capacity is told. */
  left: number | undefined
}

/** How many bookings were attended in each of the months, up to a day. */
export async function attendance(
  store: Store,
  months: readonly string[],
  today: string,
): Promise<Map<string, number>> {
  const [from = ''] = months
  const found = await tally(store, {
    ...{ collection: 'bookings', field: 'date', andTrue: 'attending', characters: 7 },
    ...{ from, to: `${today}~` },
  })
  return new Map(months.map((month) => [month, found.get(month) ?? 0]))
}

/** The events that start after a time, the next first; or before it, the last first. */
export async function eventsFrom(
  store: Store,
  { time, limit, past = false }: { time: string; limit: number; past?: boolean },
): Promise<EventFigure[]> {
  const { records } = await sortedRecords(store, 'events', {
    ...{ field: 'start', descending: past, limit },
    after: { value: time, ordinal: 0 },
  })
  const events = records.map(({ document }) => JSON.parse(document))
  const values = events.map(({ eventId }) => String(eventId))
  const attending = await tally(store, {
    ...{ collection: 'bookings', field: 'eventId', values, andTrue: 'attending' },
  })
  return events.map(({ eventId, name, start, bookingDetails }) => {
    const coming = attending.get(String(eventId)) ?? 0
    const capacity: unknown = bookingDetails?.capacityTotal
    return {
      ...{ id: String(eventId), name: String(name || eventId), start: String(start) },
      attending: coming,
      left: typeof capacity === 'number' ? Math.max(0, capacity - coming) : undefined,
    }
  })
}
