import type { PublicEvent } from '../../sign-up/public-events.ts'
import { countBy } from '../../store/read/figures.ts'
import type { Store } from '../../store/store.ts'

/** The places of an event that are left, and all of its places. */
export type PlacesLeft = { left: number; capacity: number }

/** Returns the places left by event; none for an event without a limit. */
export async function readPlacesLeft(
  store: Store,
  events: readonly PublicEvent[],
): Promise<Map<string, PlacesLeft>> {
  const limited = events.filter(({ capacity }) => capacity !== null)
  if (limited.length === 0) return new Map()
  const held = await countBy(store, {
    ...{ collection: 'bookings', field: 'eventId', andTrue: 'attending' },
    values: limited.map(({ id }) => id),
  })
  return new Map(
    limited.map(({ id, capacity }) => [
      id,
      { left: Math.max(0, (capacity ?? 0) - (held?.get(id) ?? 0)), capacity: capacity ?? 0 },
    ]),
  )
}
