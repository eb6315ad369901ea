import { putRecords } from '../src/store/write/put.ts'
import { day, type Field, scramble, spellNumber } from './members.ts'

const time = (number: number) => `${day(19_000 + (number % 1500))}T10:00:00.000Z`

type Column = Omit<Field, 'value'> & { value: (event: number) => string | number }

/** The columns of a flat event: our response and a peer's have the same. Peers need `id` as the key. */
export const columns: readonly Column[] = [
  { id: 'id', type: 'number', value: (e) => e + 1 },
  { id: 'eventId', type: 'text', value: (e) => `event-${e}` },
  { id: 'name', type: 'text', value: (e) => `Lunch club of ${spellNumber(scramble(e, 1) % 3000)}` },
  { id: 'managedBy', type: 'text', value: () => 'org-0' },
  { id: 'colour', type: 'text', value: (e) => `#${(scramble(e, 2) % 64) + 100}` },
  { id: 'start', type: 'text', value: (e) => time(scramble(e, 3)) },
  { id: 'end', type: 'text', value: (e) => time(scramble(e, 4)) },
  { id: 'concluded', type: 'text', value: (e) => time(scramble(e, 5)) },
  { id: 'attendees', type: 'number', value: (e) => scramble(e, 6) % 50 },
  { id: 'parentEventId', type: 'text', value: (e) => `event-${scramble(e, 7) % 1000}` },
  { id: 'created', type: 'text', value: (e) => time(scramble(e, 8)) },
  { id: 'updated', type: 'text', value: (e) => time(scramble(e, 9)) },
]

/** Adds flat events to an organisation, as an import does. */
export async function putFlatEvents(db: D1Database, organisationId: string, events: number) {
  for (let first = 0; first < events; first += 1000) {
    const numbers = Array.from(
      { length: Math.min(1000, events - first) },
      (_, index) => first + index,
    )
    const records = numbers.map((event) => ({
      id: `event-${event}`,
      document: JSON.stringify(
        Object.fromEntries(columns.map(({ id, value }) => [id, value(event)])),
      ),
    }))
    await putRecords(db, organisationId, 'events', records)
  }
}
