import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import type { Values } from '../../model/schema.ts'
import { sortedRecords } from '../../store/sorted.ts'
import { askJson } from '../api.ts'
import type { Option } from './goals.ts'

const maxAll = 250
const maxPast = 200
const maxNext = 50

/** The events that bookings may be for, the last first: all where they are few, else those around today. */
export async function eventsOffered(c: Context<DashboardEnv>): Promise<Option[]> {
  const path = `/events?limit=${maxAll}`
  const { events, total } = await askJson<{ events: Values[]; total: number }>(c, path)
  const offered = total > maxAll ? await aroundToday(c) : events
  return offered
    .toSorted((one, other) => textOf(other.start).localeCompare(textOf(one.start)))
    .map(({ eventId, name, start }) => ({
      value: textOf(eventId),
      label: [textOf(name) || textOf(eventId), textOf(start).slice(0, 10)]
        .filter(Boolean)
        .join(', '),
    }))
}

async function aroundToday({ var: { store } }: Context<DashboardEnv>): Promise<Values[]> {
  const after = { value: new Date().toISOString(), ordinal: 0 }
  const found = await Promise.all([
    sortedRecords(store, 'events', { field: 'start', descending: true, limit: maxPast, after }),
    sortedRecords(store, 'events', { field: 'start', descending: false, limit: maxNext, after }),
  ])
  return found.flatMap(({ records }) => records.map(({ document }) => JSON.parse(document)))
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
