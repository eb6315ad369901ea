import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { Page } from '../page.tsx'
import { RowsRead } from '../parts/rows-read.tsx'
import { pathOfCollection } from '../records/paths.ts'
import { eventsFrom } from './event-figures.ts'
import { EventTable } from './event-table.tsx'

const shown = 25

/** The events to come and those that were, each with who comes. */
export async function eventsPage(c: Context<DashboardEnv>) {
  const time = new Date().toISOString()
  const [coming, past] = await Promise.all([
    eventsFrom(c.var.store, { time, limit: shown }),
    eventsFrom(c.var.store, { time, limit: shown, past: true }),
  ])
  return c.html(
    <Page
      c={c}
      title="Events"
      beside={
        <a class="button" href={pathOfCollection(c, 'events')}>
          All events
        </a>
      }
    >
      <section>
        <h2>To come</h2>
        <EventTable c={c} events={coming} label="Events to come" />
      </section>
      <section>
        <h2>Past</h2>
        <EventTable c={c} events={past} label="Past events" />
      </section>
      <RowsRead c={c} />
    </Page>,
  )
}
