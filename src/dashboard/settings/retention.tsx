import type { Context } from 'hono'
import { listRules } from '../../store/retention.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Page } from '../ui/page.tsx'
import { numberHeadings, Table } from '../ui/table.tsx'
import { toWords } from '../ui/words.ts'

/** Settings, Retention: the rules by which records are removed each day, to look at (additions 5). */
export async function renderRetentionPage(c: Context<DashboardEnv>) {
  const rules = await listRules(c.var.store)
  return c.html(
    <Page c={c} title="Retention">
      <section>
        {rules.length === 0 ? (
          <p>Records are kept until somebody deletes them: there are no rules yet.</p>
        ) : (
          <Table
            label="Rules of retention"
            isStacked
            firstHeading="Collection"
            headings={[
              ...[{ text: 'Removed after' }, { text: 'By the date in' }, { text: 'Last applied' }],
              ...numberHeadings('Removed then', 'Too old but kept'),
            ]}
            rows={rules.map(({ collection, age, field, done, removed, kept }) => ({
              rowHeader: toWords(collection),
              cells: [
                age,
                field,
                done ?? '–',
                removed.toLocaleString('en-GB'),
                kept.toLocaleString('en-GB'),
              ],
            }))}
          />
        )}
        <p>
          <small>
            Records that are too old are deleted each day; a new rule takes effect on the next day.
            A record that others depend on is kept, and so is one without the date. The rules are
            set by whoever operates the service.
          </small>
        </p>
      </section>
    </Page>,
  )
}
