import type { Context } from 'hono'
import { collectionPath } from '../records/paths.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Page } from '../ui/page.tsx'
import { RowsRead } from '../ui/rows-read.tsx'
import { listEvents } from './event-figures.ts'
import { EventTable } from './event-table.tsx'

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
        <a class="button" href={collectionPath(c, 'events')}>
          All events
        </a>
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
