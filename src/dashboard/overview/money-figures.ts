import { statuses as stages } from '../../resources/grant-applications.ts'
import { sums } from '../../store/read/figures.ts'
import type { Store } from '../../store/store.ts'

/** The stages that count as awarded. */
const awardedStages: readonly string[] = ['approved', 'fully_paid', 'completed']

/** The overview's grant figures in one currency. */
export type MoneyFigures = {
  currency: string
  stages: { stage: string; applications: number; applied: number; awarded: number }[]
  funds: { fundId: string; awarded: number; paid: number }[]
}

/** Adds up grants by currency. Returns undefined if there are too many records. */
export async function loadMoneyFigures(store: Store): Promise<MoneyFigures[] | undefined> {
  const [applications, disbursements] = await Promise.all([
    sums(store, {
      collection: 'grant-applications',
      by: ['currency', 'fundId', 'status'],
      of: ['amountApplied', 'amountAwarded'],
    }),
    sums(store, {
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
