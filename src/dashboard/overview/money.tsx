import { numbers, Table } from '../table.tsx'
import { inWords } from '../words.ts'
import { Means } from './means.tsx'
import type { MoneyFigures } from './money-figures.ts'

type Props = {
  /** Where the organisation's records are. */
  records: string
  money: readonly MoneyFigures[] | undefined
  /** What funds are called, by their ids. */
  names: ReadonlyMap<string, string>
}

/** Grants by stage and by fund, in money. */
export function Money({ records, money, names }: Props) {
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
      {money.map((one) => (
        <div class="cards two">
          <section class="card">
            <h2>Grants by stage</h2>
            <Stages records={records} {...one} />
            <Means>Applications by their status, in the order in which they go through them.</Means>
          </section>
          <section class="card">
            <h2>Money by fund</h2>
            <Funds records={records} names={names} {...one} />
            <Means>
              Awarded: of applications approved, fully paid or completed. Paid: payments with the
              status PAID. To pay: what was awarded and not yet paid.
            </Means>
          </section>
        </div>
      ))}
    </>
  )
}

const Stages = ({ records, stages, currency }: Pick<Props, 'records'> & MoneyFigures) => (
  <Table
    label="Grants by stage"
    lead="Stage"
    headings={numbers('Number', 'Applied', 'Awarded')}
    rows={stages.map(({ stage, applications, applied, awarded }) => ({
      lead: <a href={`${records}/grant-applications?status=${stage}`}>{inWords(stage)}</a>,
      cells: [
        applications.toLocaleString('en-GB'),
        amount(applied, currency),
        amount(awarded, currency),
      ],
    }))}
  />
)

const Funds = ({ records, names, funds, currency }: Omit<Props, 'money'> & MoneyFigures) => (
  <Table
    label="Money by fund"
    lead="Fund"
    headings={numbers('Awarded', 'Paid', 'To pay')}
    rows={funds.map(({ fundId, awarded, paid }) => ({
      lead: (
        <a href={`${records}/grant-applications?${new URLSearchParams({ fundId })}`}>
          {names.get(fundId) ?? (fundId || 'No fund')}
        </a>
      ),
      cells: [awarded, paid, awarded - paid].map((sum) => amount(sum, currency)),
    }))}
  />
)

/** An amount in its currency, in whole units; a code that is no currency stands behind it. */
function amount(value: number, currency: string): string {
  try {
    return value.toLocaleString('en-GB', {
      ...{ style: 'currency', currency, maximumFractionDigits: 0 },
    })
  } catch {
    return `${Math.round(value).toLocaleString('en-GB')} ${currency}`.trim()
  }
}
