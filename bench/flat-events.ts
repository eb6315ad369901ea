import { putRecords } from '../src/store/write/put.ts'
import { day, type Field, spelled, spread } from './members.ts'

const time = (number: number) => `${day(19_000 + (number % 1500))}T10:00:00.000Z`

/** The columns of an event that is flat, so that our answer and a peer's have the same; `id` is what peers need for a key. */
export const columns: readonly Field[] = [
  { id: 'id', type: 'number', value: (e) => e + 1 },
  { id: 'eventId', type: 'text', value: (e) => `event-${e}` },
  { id: 'name', type: 'text', value: (e) => `Lunch club of ${spelled(spread(e, 1) % 3000)}` },
  { id: 'managedBy', type: 'text', value: () => 'org-0' },
  { id: 'colour', type: 'text', value: (e) => `#${(spread(e, 2) % 64) + 100}` },
  { id: 'start', type: 'text', value: (e) => time(spread(e, 3)) },
  { id: 'end', type: 'text', value: (e) => time(spread(e, 4)) },
  { id: 'concluded', type: 'text', value: (e) => time(spread(e, 5)) },
  { id: 'attendees', type: 'number', value: (e) => spread(e, 6) % 50 },
  { id: 'parentEventId', type: 'text', value: (e) => `event-${spread(e, 7) % 1000}` },
  { id: 'created', type: 'text', value: (e) => time(spread(e, 8)) },
  { id: 'updated', type: 'text', value: (e) => time(spread(e, 9)) },
]

/** Gives an organisation so many flat events, as an import does. */
export async function putFlatEvents(db: D1Database, organisationId: string, events: number) {
  for (let first = 0; first < events; first += 1000) {
    const places = Array.from(
      { length: Math.min(1000, events - first) },
      (_, place) => first + place,
    )
    const written = places.map((event) => ({
      id: `event-${event}`,
      document: JSON.stringify(
        Object.fromEntries(columns.map(({ id, value }) => [id, value(event)])),
      ),
    }))
    await putRecords(db, organisationId, 'events', written)
  }
}
