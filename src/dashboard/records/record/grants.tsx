import type { Context } from 'hono'
import type { ShownValues } from '../../collection/collection-info.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { recordPath } from '../../ui/paths.ts'
import { DataTable } from '../../ui/table.tsx'
import { Value } from '../../ui/value.tsx'
import type { FindTitle } from './titles.ts'

type Props = { c: Context<DashboardEnv>; grants: readonly ShownValues[]; findTitle: FindTitle }

/** Renders the grant applications of a person. */
export const PersonGrants = ({ c, grants, findTitle }: Props) => (
  <section class="section" id="grants">
    <h2>Grants</h2>
    <DataTable
      label="Grants"
      columns={[
        {
          heading: 'Fund',
          cell: ({ applicationId, fundId, title }) => (
            <a href={recordPath(c, 'grant-applications', String(applicationId))}>
              {findTitle('funds', String(fundId))?.title ?? String(title || 'Application')}
            </a>
          ),
        },
        {
          heading: 'Stage',
          cell: ({ status }) => <Value value={status} type="text" format="code" />,
        },
        {
          heading: 'Awarded',
          isNumber: true,
          cell: ({ amountAwarded, currency }) => (
            <Amount amount={amountAwarded} currency={currency} />
          ),
        },
        {
          heading: 'Paid',
          isNumber: true,
          cell: ({ amountDisbursed, currency }) => (
            <Amount amount={amountDisbursed} currency={currency} />
          ),
        },
      ]}
      rows={grants}
    />
  </section>
)

const Amount = ({ amount, currency }: { amount: unknown; currency: unknown }) => (
  <Value value={amount} type="number" format="money" currency={String(currency)} />
)
