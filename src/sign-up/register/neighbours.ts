import { fromLondon, londonDay } from '../../model/timestamp.ts'
import { readSortedRecords } from '../../store/read/sorted.ts'
import { type DatedEvent, readDatedEvents } from '../../store/sign-up/dates.ts'
import { findSeries } from '../../store/sign-up/series.ts'
import type { Store } from '../../store/store.ts'
import type { EventDocument } from '../public-events.ts'
import { mayTakeRegister } from './open-register.ts'

const permissions = ['take-registers'] as const

const maxEventsOfDay = 50

/** The registers before and after that of an event. */
export type Neighbours = { previous: DatedEvent | undefined; next: DatedEvent | undefined }

/**
 * Finds the dates before and after one of a series, or the other events of the day of any other event.
 * A steward gets only registers that they take.
 */
export async function findNeighbours(store: Store, event: EventDocument): Promise<Neighbours> {
  const { eventId, parentEventId, start } = event
  if (!start) return { previous: undefined, next: undefined }
  const events = parentEventId
    ? await readDatedEvents(store, parentEventId)
    : await readEventsOfDay(store, londonDay(start))
  const index = events.findIndex(({ id }) => id === eventId)
  const [previous, next] = index < 0 ? [] : [events[index - 1], events[index + 1]]
  const open = (other: DatedEvent | undefined) =>
    other && mayTakeRegister(store, other.start) ? other : undefined
  return { previous: open(previous), next: open(next) }
}

/** Reads the events of a day by start, without series, which have no register. */
async function readEventsOfDay(store: Store, day: string): Promise<DatedEvent[]> {
  const { records } = await readSortedRecords(
    store,
    'events',
    {
      field: 'start',
      descending: false,
      limit: maxEventsOfDay,
      after: { value: String(fromLondon(`${day}T00:00`)), ordinal: 0 },
    },
    permissions,
  )
  const ofDay = records
    .map(({ id, document }): DatedEvent => {
      const { name, start }: EventDocument = JSON.parse(document)
      return { id, name: name ?? '', start: start ?? '' }
    })
    .filter(({ start }) => londonDay(start) === day)
  if (ofDay.length < 2) return []
  const series = await findSeries(
    store,
    ofDay.map(({ id }) => id),
    permissions,
  )
  return ofDay.filter(({ id }) => !series.has(id))
}
