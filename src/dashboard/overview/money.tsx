import { numberHeadings, Table } from '../ui/table.tsx'
import { toWords } from '../ui/words.ts'
import { Explanation } from './means.tsx'
import type { MoneyFigures } from './money-figures.ts'

type Props = {
  /** Where the organisation's records are. */
  recordsPath: string
  money: readonly MoneyFigures[] | undefined
  /** What funds are called, by their ids. */
  names: ReadonlyMap<string, string>
}

/** Grants by stage and by fund, in money. */
export function GrantFigures({ recordsPath, money, names }: Props) {
  if (!money) {
    return (
      <section>
        <h2>Grants</h2>
        <p>There are too many applications or payments to add up here.</p>
      </section>
    )
  }
  return (
    <>
      {money.map((figures) => (
        <div class="cards two">
          <section class="card">
            <h2>Grants by stage</h2>
            <StageTable recordsPath={recordsPath} {...figures} />
            <Explanation>
              Applications by their status, in the order in which they go through them.
            </Explanation>
          </section>
          <section class="card">
            <h2>Money by fund</h2>
            <FundTable recordsPath={recordsPath} names={names} {...figures} />
            <Explanation>
              Awarded: of applications approved, fully paid or completed. Paid: payments with the
              status PAID. To pay: what was awarded and not yet paid.
            </Explanation>
          </section>
        </div>
      ))}
    </>
  )
}

const StageTable = ({
  recordsPath,
  stages,
  currency,
}: Pick<Props, 'recordsPath'> & MoneyFigures) => (
  <Table
    label="Grants by stage"
    firstHeading="Stage"
    headings={numberHeadings('Number', 'Applied', 'Awarded')}
    rows={stages.map(({ stage, applications, applied, awarded }) => ({
      rowHeader: <a href={`${recordsPath}/grant-applications?status=${stage}`}>{toWords(stage)}</a>,
      cells: [
        applications.toLocaleString('en-GB'),
        formatAmount(applied, currency),
        formatAmount(awarded, currency),
      ],
    }))}
  />
)

const FundTable = ({
  recordsPath,
  names,
  funds,
  currency,
}: Omit<Props, 'money'> & MoneyFigures) => (
  <Table
    label="Money by fund"
    firstHeading="Fund"
    headings={numberHeadings('Awarded', 'Paid', 'To pay')}
    rows={funds.map(({ fundId, awarded, paid }) => ({
      rowHeader: (
        <a href={`${recordsPath}/grant-applications?${new URLSearchParams({ fundId })}`}>
          {names.get(fundId) ?? (fundId || 'No fund')}
        </a>
      ),
      cells: [awarded, paid, awarded - paid].map((sum) => formatAmount(sum, currency)),
    }))}
  />
)

/** An amount in its currency, in whole units; a code that is no currency stands behind it. */
function formatAmount(value: number, currency: string): string {
  try {
    return value.toLocaleString('en-GB', {
      ...{ style: 'currency', currency, maximumFractionDigits: 0 },
    })
  } catch {
    return `${Math.round(value).toLocaleString('en-GB')} ${currency}`.trim()
  }
}
