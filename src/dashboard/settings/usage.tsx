import type { Context } from 'hono'
import { collectionNames } from '../../model/collection.ts'
import { toLabel } from '../../model/properties/compile.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { summariseCollections } from '../../store/read/figures.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Page } from '../ui/page.tsx'
import { keysPath } from '../ui/paths.ts'
import { numberHeadings, Table } from '../ui/table.tsx'
import { Time } from '../ui/value.tsx'

/** Renders the requests by key and the size of each collection. */
export async function renderUsagePage(c: Context<DashboardEnv>) {
  const [usage, summaries] = await Promise.all([
    c.var.keys.usage(),
    summariseCollections(c.var.store, collectionNames),
  ])
  const byKey = [...Map.groupBy(usage, ({ keyId }) => keyId).values()]
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
  return c.html(
    <Page c={c} title="Usage" lead="Requests of the last 30 days, and the stored records.">
      <section class="section">
        <h2>Requests by key</h2>
        {byKey.length === 0 ? (
          <p>No key was used in the last 30 days.</p>
        ) : (
          <Table
            label="Requests by key"
            firstHeading="Key"
            headings={numberHeadings('Requests', 'Records', 'Rows read')}
            rows={byKey.map((rows) => ({
              rowHeader: <a href={keysPath(c)}>{rows[0]?.key ?? 'A deleted key'}</a>,
              cells: [
                formatNumber(sum(rows.map(({ requests }) => requests))),
                formatNumber(sum(rows.map(({ records }) => records))),
                formatNumber(sum(rows.map(({ rowsRead }) => rowsRead))),
              ],
            }))}
          />
        )}
      </section>
      <section class="section">
        <h2>Records by collection</h2>
        <Table
          label="Records by collection"
          firstHeading="Collection"
          headings={[...numberHeadings('Records'), { text: 'Newest' }, { text: 'Last import' }]}
          rows={summaries.map(({ collection, total, newest, imported }) => ({
            rowHeader: toLabel(collection),
            cells: [
              formatNumber(total),
              <Time value={newest || null} type="date" />,
              <Time value={imported || null} type="date" />,
            ],
          }))}
        />
      </section>
      <footer>{formatNumber(c.var.store.cost.rowsRead)} rows read for this page</footer>
    </Page>,
  )
}
