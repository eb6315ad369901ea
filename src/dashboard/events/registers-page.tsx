import type { Context } from 'hono'
import { readSortedRecords } from '../../store/read/sorted.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Page } from '../ui/page.tsx'
import { registerPath } from '../ui/paths.ts'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/value.tsx'

const maxEvents = 50
const firstDay = -7

/** Renders the events of the last week and the coming ones, for stewards. */
export async function renderRegistersPage(c: Context<DashboardEnv>) {
  const from = new Date(Date.now() + firstDay * 86_400_000).toISOString()
  const query = { field: 'start', descending: false, limit: maxEvents }
  const { records } = await readSortedRecords(
    c.var.store,
    'events',
    { ...query, after: { value: from, ordinal: 0 } },
    ['take-registers'],
  )
  const events: { name: string; start: string; venue?: { name?: string } }[] = records.map(
    ({ document }) => JSON.parse(document),
  )
  return c.html(
    <Page c={c} title="Registers">
      {events.length === 0 ? (
        <p>There are no events.</p>
      ) : (
        <Table
          label="Events"
          firstHeading="Event"
          headings={[{ text: 'Starts' }, { text: 'Venue' }]}
          rows={events.map(({ name, start, venue }, index) => {
            const id = records[index]?.id ?? ''
            return {
              rowHeader: <a href={registerPath(c, id)}>{name || id}</a>,
              cells: [<Time value={start} />, venue?.name ?? ''],
            }
          })}
        />
      )}
    </Page>,
  )
}
