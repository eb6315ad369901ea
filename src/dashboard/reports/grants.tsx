import type { Context } from 'hono'
import { toLabel } from '../../model/properties/compile.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { applicationStatuses as stages } from '../../resources/grant-applications.ts'
import { sumBy } from '../../store/read/figures.ts'
import type { Store } from '../../store/store.ts'
import { describeCollection } from '../collection/collection-info.ts'
import { loadRecords } from '../collection/read.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { DataTable } from '../ui/table.tsx'

/** The stages that count as awarded. */
const awardedStages: readonly string[] = ['approved', 'fully_paid', 'completed']

/** Grant figures in one currency. */
type MoneyFigures = {
  currency: string
  stages: { stage: string; applications: number; applied: number; awarded: number }[]
  funds: { fundId: string; awarded: number; paid: number }[]
}

/** Sums grants by currency. Returns undefined if there are too many records. */
export async function loadMoneyFigures(store: Store): Promise<MoneyFigures[] | undefined> {
  const [applications, disbursements] = await Promise.all([
    sumBy(store, {
      collection: 'grant-applications',
      by: ['currency', 'fundId', 'status'],
      of: ['amountApplied', 'amountAwarded'],
    }),
    sumBy(store, {
      collection: 'disbursements',
      by: ['currency', 'fundId', 'status'],
      of: ['amount'],
    }),
  ])
  if (!applications || !disbursements) return undefined
  const currencies = new Set([...applications, ...disbursements].map(({ by }) => by[0] ?? ''))
  return [...currencies].map((currency) => {
    const currencyApplications = applications.filter(({ by }) => by[0] === currency)
    const awarded = currencyApplications.filter(({ by }) => awardedStages.includes(by[2] ?? ''))
    const paid = disbursements.filter(({ by }) => by[0] === currency && by[2] === 'PAID')
    const funds = new Set([...awarded, ...paid].map(({ by }) => by[1] ?? ''))
    return {
      currency,
      stages: stages.map((stage) => {
        const applicationsAtStage = currencyApplications.filter(({ by }) => by[2] === stage)
        return {
          stage,
          applications: applicationsAtStage.reduce((sum, { records }) => sum + records, 0),
          applied: sumColumn(applicationsAtStage, 0),
          awarded: awardedStages.includes(stage) ? sumColumn(applicationsAtStage, 1) : 0,
        }
      }),
      funds: [...funds].toSorted().map((fundId) => ({
        fundId,
        awarded: sumColumn(
          awarded.filter(({ by }) => by[1] === fundId),
          1,
        ),
        paid: sumColumn(
          paid.filter(({ by }) => by[1] === fundId),
          0,
        ),
      })),
    }
  })
}

const sumColumn = (rows: readonly { of: number[] }[], index: number) =>
  rows.reduce((sum, { of }) => sum + (of[index] ?? 0), 0)

const maxFunds = 250

/** The names of funds by id. */
export async function loadFundNames(c: Context<DashboardEnv>): Promise<Map<string, string>> {
  const collection = await describeCollection(c, 'funds')
  const query = new URLSearchParams({ limit: String(maxFunds) })
  const { records } = await loadRecords(c, collection, query)
  return new Map(records.map(({ fundId, name }) => [String(fundId), String(name || fundId)]))
}

type Props = {
  /** The path of the organisation's records. */
  recordsPath: string
  money: readonly MoneyFigures[] | undefined
  /** The names of funds by id. */
  names: ReadonlyMap<string, string>
}

/** Renders grants by stage and by fund. */
export function GrantFigures({ recordsPath, money, names }: Props) {
  if (!money) {
    return (
      <section>
        <div class="title">
          <h2>Grants</h2>
        </div>
        <p>There are too many applications or payments to add up here.</p>
      </section>
    )
  }
  return (
    <>
      {money.map((figures) => (
        <>
          <section>
            <div class="title">
              <h2>Grants by stage</h2>
            </div>
            <StageTable recordsPath={recordsPath} {...figures} />
            <p class="quiet after">Applications by status, in the order of the process.</p>
          </section>
          <section>
            <div class="title">
              <h2>Money by fund</h2>
            </div>
            <FundTable recordsPath={recordsPath} names={names} {...figures} />
            <p class="quiet after">
              Awarded: applications that are approved, fully paid or completed. Paid: payments with
              the status PAID. To pay: the difference.
            </p>
          </section>
        </>
      ))}
    </>
  )
}

const StageTable = ({
  recordsPath,
  stages,
  currency,
}: Pick<Props, 'recordsPath'> & MoneyFigures) => (
  <DataTable
    label="Grants by stage"
    columns={[
      {
        heading: 'Stage',
        cell: ({ stage }) => (
          <a href={`${recordsPath}/grant-applications?status=${stage}`}>{toLabel(stage)}</a>
        ),
      },
      {
        heading: 'Number',
        isNumber: true,
        cell: ({ applications }) => formatNumber(applications),
      },
      {
        heading: 'Applied',
        isNumber: true,
        cell: ({ applied }) => formatAmount(applied, currency),
      },
      {
        heading: 'Awarded',
        isNumber: true,
        cell: ({ awarded }) => formatAmount(awarded, currency),
      },
    ]}
    rows={stages}
  />
)

const FundTable = ({
  recordsPath,
  names,
  funds,
  currency,
}: Omit<Props, 'money'> & MoneyFigures) => (
  <DataTable
    label="Money by fund"
    columns={[
      {
        heading: 'Fund',
        cell: ({ fundId }) => (
          <a href={`${recordsPath}/grant-applications?${new URLSearchParams({ fundId })}`}>
            {names.get(fundId) ?? (fundId || 'No fund')}
          </a>
        ),
      },
      {
        heading: 'Awarded',
        isNumber: true,
        cell: ({ awarded }) => formatAmount(awarded, currency),
      },
      { heading: 'Paid', isNumber: true, cell: ({ paid }) => formatAmount(paid, currency) },
      {
        heading: 'To pay',
        isNumber: true,
        cell: ({ awarded, paid }) => formatAmount(awarded - paid, currency),
      },
    ]}
    rows={funds}
  />
)

/** Formats an amount without decimals. An unknown currency code follows the number. */
function formatAmount(value: number, currency: string): string {
  try {
    return value.toLocaleString('en-GB', {
      style: 'currency',
      currency,
      maximumFractionDigits: 0,
    })
  } catch {
    return `${formatNumber(Math.round(value))} ${currency}`.trim()
  }
}
