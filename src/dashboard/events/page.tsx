import type { Context } from 'hono'
import { formatNumber } from '../../platform/format-number.ts'
import { readSortedRecords } from '../../store/read/sorted.ts'
import { countAttending } from '../../store/sign-up/event-bookings.ts'
import type { Store } from '../../store/store.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Page, RowsRead } from '../ui/page.tsx'
import { collectionPath, newRecordPath, recordPath, registerPath } from '../ui/paths.ts'
import { numberHeadings, Table } from '../ui/table.tsx'
import { Time } from '../ui/value.tsx'

const maxEvents = 25

/** Renders upcoming and past events with their attendance. */
export async function renderEventsPage(c: Context<DashboardEnv>) {
  const time = new Date().toISOString()
  const [upcoming, past] = await Promise.all([
    listEvents(c.var.store, { time, limit: maxEvents }),
    listEvents(c.var.store, { time, limit: maxEvents, isPast: true }),
  ])
  return c.html(
    <Page
      c={c}
      title="Events"
      actions={
        <>
          <a class="button" href={collectionPath(c, 'events')}>
            All events
          </a>
          {can(c, 'write') && (
            <a class="button primary" href={newRecordPath(c, 'events')}>
              New event
            </a>
          )}
        </>
      }
    >
      <section>
        <h2>Upcoming</h2>
        <EventTable c={c} events={upcoming} label="Upcoming events" />
      </section>
      <section>
        <h2>Past</h2>
        <EventTable c={c} events={past} label="Past events" />
      </section>
      <RowsRead c={c} />
    </Page>,
  )
}

type Props = { c: Context<DashboardEnv>; events: readonly EventFigure[]; label: string }

/** Renders events with their start in UK time, attendance and places left. */
export function EventTable({ c, events, label }: Props) {
  if (events.length === 0) return <p>There are no events.</p>
  const eventPath = (id: string) =>
    can(c, 'take-registers') ? registerPath(c, id) : recordPath(c, 'events', id)
  return (
    <Table
      label={label}
      firstHeading="Event"
      headings={[{ text: 'Starts' }, ...numberHeadings('Attending', 'Places left')]}
      rows={events.map(({ id, name, start, attending, placesLeft }) => ({
        rowHeader: <a href={eventPath(id)}>{name}</a>,
        cells: [<Time value={start} />, formatCount(attending), formatCount(placesLeft)],
      }))}
    />
  )
}

const formatCount = (count: number | undefined) => (count === undefined ? '–' : formatNumber(count))

/** An event with its attendance. */
type EventFigure = {
  id: string
  name: string
  start: string
  /** The number of attending bookings; undefined if there are too many to count. */
  attending: number | undefined
  /** Capacity minus attending bookings; undefined if either is unknown. */
  placesLeft: number | undefined
}

/** Lists the events after a time, earliest first, or before it, latest first. */
export async function listEvents(
  store: Store,
  { time, limit, isPast = false }: { time: string; limit: number; isPast?: boolean },
): Promise<EventFigure[]> {
  const { records } = await readSortedRecords(store, 'events', {
    ...{ field: 'start', descending: isPast, limit },
    after: { value: time, ordinal: 0 },
  })
  const events = records.map(({ document }) => JSON.parse(document))
  const ids = events.map(({ eventId }) => String(eventId))
  const attendance = await countAttending(store, ids)
  return events.map(({ eventId, name, start, bookingDetails, parentEventId, recurrence }) => {
    const attending = attendance?.get(String(eventId))
    // The capacity of a series is that of each occurrence.
    const isSeries = recurrence?.recurring && !parentEventId
    const capacity: unknown = isSeries ? null : bookingDetails?.capacityTotal
    return {
      ...{ id: String(eventId), name: String(name || eventId), start: String(start) },
      attending: attending,
      placesLeft:
        typeof capacity === 'number' && attending !== undefined
          ? Math.max(0, capacity - attending)
          : undefined,
    }
  })
}
