import type { Context } from 'hono'
import type { DashboardEnv } from '../auth/signed-in.ts'
import { rulesOf } from '../store/retention.ts'
import { Page } from './page.tsx'
import { numbers, Table } from './table.tsx'
import { inWords } from './words.ts'

/** Settings, Retention: the rules by which records are removed each day, to look at (additions 5). */
export async function retentionPage(c: Context<DashboardEnv>) {
  const rules = await rulesOf(c.var.store)
  return c.html(
    <Page c={c} title="Retention">
      <section>
        {rules.length === 0 ? (
          <p>Records are kept until somebody deletes them: there are no rules yet.</p>
        ) : (
          <Table
            label="Rules of retention"
            stack
            lead="Collection"
            headings={[
              ...[{ text: 'Removed after' }, { text: 'By the date in' }, { text: 'Last applied' }],
              ...numbers('Removed then', 'Too old but kept'),
            ]}
            rows={rules.map(({ collection, age, field, done, removed, kept }) => ({
              lead: inWords(collection),
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
