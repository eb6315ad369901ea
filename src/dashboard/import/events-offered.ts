import type { Context } from 'hono'
import type { Values } from '../../model/properties/schema.ts'
import { sortedRecords } from '../../store/read/sorted.ts'
import { getJson } from '../session/api.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import type { Option } from './goals.ts'

const maxAll = 250
const maxPast = 200
const maxNext = 50

/** Lists the events to choose from, latest first: all of them, or those around today if there are many. */
export async function listEventOptions(c: Context<DashboardEnv>): Promise<Option[]> {
  const path = `/events?limit=${maxAll}`
  const { events, total } = await getJson<{ events: Values[]; total: number }>(c, path)
  const selected = total > maxAll ? await listEventsAroundToday(c) : events
  return selected
    .toSorted((one, other) => asText(other.start).localeCompare(asText(one.start)))
    .map(({ eventId, name, start }) => ({
      value: asText(eventId),
      label: [asText(name) || asText(eventId), asText(start).slice(0, 10)]
        .filter(Boolean)
        .join(', '),
    }))
}

async function listEventsAroundToday({ var: { store } }: Context<DashboardEnv>): Promise<Values[]> {
  const after = { value: new Date().toISOString(), ordinal: 0 }
  const pages = await Promise.all([
    sortedRecords(store, 'events', { field: 'start', descending: true, limit: maxPast, after }),
    sortedRecords(store, 'events', { field: 'start', descending: false, limit: maxNext, after }),
  ])
  return pages.flatMap(({ records }) => records.map(({ document }) => JSON.parse(document)))
}

const asText = (value: unknown) => (typeof value === 'string' ? value : '')
