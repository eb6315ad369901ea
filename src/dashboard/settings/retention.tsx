import type { Context } from 'hono'
import { toLabel } from '../../model/properties/compile.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { listRules } from '../../store/settings/retention.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Page } from '../ui/page.tsx'
import { numberHeadings, Table } from '../ui/table.tsx'

/** Renders the retention rules, read-only (additions 5). */
export async function renderRetentionPage(c: Context<DashboardEnv>) {
  const rules = await listRules(c.var.store)
  return c.html(
    <Page c={c} title="Retention">
      <section>
        {rules.length === 0 ? (
          <p>There are no retention rules yet. Records stay until somebody deletes them.</p>
        ) : (
          <Table
            label="Retention rules"
            isStacked
            firstHeading="Collection"
            headings={[
              ...[{ text: 'Removed after' }, { text: 'Date field' }, { text: 'Last applied' }],
              ...numberHeadings('Last removed', 'Too old but kept'),
            ]}
            rows={rules.map(({ collection, age, field, completedOn, removed, kept }) => ({
              rowHeader: toLabel(collection),
              cells: [age, field, completedOn ?? '–', formatNumber(removed), formatNumber(kept)],
            }))}
          />
        )}
        <p>
          <small>
            The service deletes records that are too old once a day. A new rule takes effect the
            next day. Records without the date, and records that others depend on, are kept. The
            operator of the service sets the rules.
          </small>
        </p>
      </section>
    </Page>,
  )
}
