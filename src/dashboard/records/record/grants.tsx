import { recordPath } from '../../ui/paths.ts'
import { DataTable } from '../../ui/table.tsx'
import { Value } from '../../ui/value.tsx'
import type { RecordViewProps } from './record-layout.ts'

/** Renders the grant applications of a person. */
export const PersonGrants = ({ c, view: { grants, findTitle } }: RecordViewProps) => (
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
          isRightAligned: true,
          cell: ({ amountAwarded, currency }) => (
            <Amount amount={amountAwarded} currency={currency} />
          ),
        },
        {
          heading: 'Paid',
          isRightAligned: true,
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
