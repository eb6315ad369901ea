import { Wide } from '../page.tsx'
import { inWords } from '../words.ts'
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
            <p>
              <small>
                Applications by their status, in the order in which they go through them.
              </small>
            </p>
          </section>
          <section class="card">
            <h2>Money by fund</h2>
            <Funds records={records} names={names} {...one} />
            <p>
              <small>
                Awarded: of applications approved, fully paid or completed. Paid: payments with the
                status PAID. Outstanding: what was awarded and not yet paid.
              </small>
            </p>
          </section>
        </div>
      ))}
    </>
  )
}

function Stages({ records, stages, currency }: Pick<Props, 'records'> & MoneyFigures) {
  return (
    <Wide label="Grants by stage">
      <table>
        <thead>
          <tr>
            <th scope="col">Stage</th>
            {['Applications', 'Applied', 'Awarded'].map((heading) => (
              <th scope="col" class="number">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {stages.map(({ stage, applications, applied, awarded }) => (
            <tr>
              <th scope="row">
                <a href={`${records}/grant-applications?status=${stage}`}>{inWords(stage)}</a>
              </th>
              <td class="number">{applications.toLocaleString('en-GB')}</td>
              <td class="number">{amount(applied, currency)}</td>
              <td class="number">{amount(awarded, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}

function Funds({ records, names, funds, currency }: Omit<Props, 'money'> & MoneyFigures) {
  return (
    <Wide label="Money by fund">
      <table>
        <thead>
          <tr>
            <th scope="col">Fund</th>
            {['Awarded', 'Paid', 'Outstanding'].map((heading) => (
              <th scope="col" class="number">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {funds.map(({ fundId, awarded, paid }) => (
            <tr>
              <th scope="row">
                <a href={`${records}/grant-applications?${new URLSearchParams({ fundId })}`}>
                  {names.get(fundId) ?? (fundId || 'No fund')}
                </a>
              </th>
              <td class="number">{amount(awarded, currency)}</td>
              <td class="number">{amount(paid, currency)}</td>
              <td class="number">{amount(awarded - paid, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}

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
