import { numberHeadings, Table } from '../ui/table.tsx'
import { toWords } from '../ui/words.ts'
import { Explanation } from './means.tsx'
import type { MoneyFigures } from './money-figures.ts'

type Props = {
  /** The path of the organisation's records. */
  recordsPath: string
  money: readonly MoneyFigures[] | undefined
  /** The names of funds by id. */
  names: ReadonlyMap<string, string>
}

/** Grants by stage and by fund. */
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
            <Explanation>Applications by status, in the order of the process.</Explanation>
          </section>
          <section class="card">
            <h2>Money by fund</h2>
            <FundTable recordsPath={recordsPath} names={names} {...figures} />
            <Explanation>
              Awarded: applications that are approved, fully paid or completed. Paid: payments with
              the status PAID. To pay: the difference.
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

/** Formats an amount in whole units. An unknown currency code follows the number. */
function formatAmount(value: number, currency: string): string {
  try {
    return value.toLocaleString('en-GB', {
      ...{ style: 'currency', currency, maximumFractionDigits: 0 },
    })
  } catch {
    return `${Math.round(value).toLocaleString('en-GB')} ${currency}`.trim()
  }
}
