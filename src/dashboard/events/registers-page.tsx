import type { Context } from 'hono'
import { earliestRegister } from '../../sign-up/register/open-register.ts'
import { readSortedRecords } from '../../store/read/sorted.ts'
import { findSeries } from '../../store/sign-up/series.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Page } from '../ui/page.tsx'
import { registerPath } from '../ui/paths.ts'
import { DataTable } from '../ui/table.tsx'
import { Time } from '../ui/value.tsx'

const maxEvents = 50
const permissions = ['take-registers'] as const

type ListedDate = { id: string; name: string; start: string; venue?: { name?: string } }

/** Renders the dates of the last week and the coming ones, for stewards. */
export async function renderRegistersPage(c: Context<DashboardEnv>) {
  const query = { field: 'start', descending: false, limit: maxEvents }
  const { records } = await readSortedRecords(
    c.var.store,
    'events',
    { ...query, after: { value: earliestRegister(), ordinal: 0 } },
    permissions,
  )
  const series = await findSeries(
    c.var.store,
    records.map(({ id }) => id),
    permissions,
  )
  const dates = records
    .filter(({ id }) => !series.has(id))
    .map(({ id, document }): ListedDate => ({ ...JSON.parse(document), id }))
  return c.html(
    <Page c={c} title="Registers">
      {dates.length === 0 ? (
        <p>There are no events.</p>
      ) : (
        <DataTable
          label="Events"
          columns={[
            {
              heading: 'Event',
              cell: ({ id, name }) => <a href={registerPath(c, id)}>{name || id}</a>,
            },
            { heading: 'Starts', cell: ({ start }) => <Time value={start} /> },
            { heading: 'Venue', cell: ({ venue }) => venue?.name ?? '' },
          ]}
          rows={dates}
        />
      )}
    </Page>,
  )
}
