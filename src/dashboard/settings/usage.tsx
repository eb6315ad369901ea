import type { Context } from 'hono'
import { Hono } from '../../http/hono.ts'
import { collectionLabel, collectionNames } from '../../model/collection.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { readCollectionSizes } from '../../store/read/collection-sizes.ts'
import { readUsage } from '../../store/settings/usage.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Page } from '../ui/page.tsx'
import { keysPath } from '../ui/paths.ts'
import { DataTable } from '../ui/table.tsx'
import { Time } from '../ui/value.tsx'

/** The requests by key and the size of each collection. */
export const routes = new Hono<DashboardEnv>().get('/', (c) => renderUsagePage(c))

async function renderUsagePage(c: Context<DashboardEnv>) {
  const [usage, summaries] = await Promise.all([
    readUsage(c.var.store, { days: 30, daily: false }),
    readCollectionSizes(c.var.store, collectionNames),
  ])
  const byKey = [...Map.groupBy(usage, ({ keyId }) => keyId).values()]
  return c.html(
    <Page c={c} title="Usage" lead="Requests of the last 30 days, and the stored records.">
      <section class="section">
        <h2>Requests by key</h2>
        {byKey.length === 0 ? (
          <p>No key was used in the last 30 days.</p>
        ) : (
          <DataTable
            label="Requests by key"
            columns={[
              {
                heading: 'Key',
                cell: ([day]) => <a href={keysPath(c)}>{day?.key ?? 'A deleted key'}</a>,
              },
              {
                heading: 'Requests',
                isRightAligned: true,
                cell: (days) => formatSum(days.map(({ requests }) => requests)),
              },
              {
                heading: 'Records',
                isRightAligned: true,
                cell: (days) => formatSum(days.map(({ records }) => records)),
              },
              {
                heading: 'Rows read',
                isRightAligned: true,
                cell: (days) => formatSum(days.map(({ rowsRead }) => rowsRead)),
              },
            ]}
            rows={byKey}
          />
        )}
      </section>
      <section class="section">
        <h2>Number of records</h2>
        <DataTable
          label="Number of records"
          columns={[
            { heading: 'Records', cell: ({ collection }) => collectionLabel(collection) },
            { heading: 'Records', isRightAligned: true, cell: ({ total }) => formatNumber(total) },
            {
              heading: 'Newest',
              cell: ({ newest }) => <Time value={newest || null} type="date" />,
            },
            {
              heading: 'Last import',
              cell: ({ imported }) => <Time value={imported || null} type="date" />,
            },
          ]}
          rows={summaries}
        />
      </section>
      <footer>{formatNumber(c.var.store.cost.rowsRead)} rows read for this page</footer>
    </Page>,
  )
}

const formatSum = (numbers: readonly number[]) =>
  formatNumber(numbers.reduce((total, number) => total + number, 0))
