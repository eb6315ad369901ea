import type * as z from 'zod'
import type { GrantApplication } from '../resources/grant-applications.ts'
import { toPence } from './published-values.ts'

type Application = z.output<typeof GrantApplication>

type Total = {
  currencies: Set<string>
  penceAwarded: number
  penceDisbursed: number | null
  isOpenCall: boolean
  onlyIndividuals: boolean
}

/** What follows for funds from their applications: the sums of what was awarded and paid, and whether it was an open call and for whom. */
export class FundTotals {
  readonly #totals = new Map<string, Total>()

  add({ fundId, currency, fromOpenCall, recipient, ...application }: Application): void {
    const total = this.#totals.get(fundId) ?? nothing()
    this.#totals.set(fundId, total)
    total.currencies.add(currency)
    total.penceAwarded += toPence(application.amountAwarded ?? 0)
    if (application.amountDisbursed !== null) {
      total.penceDisbursed = (total.penceDisbursed ?? 0) + toPence(application.amountDisbursed)
    }
    total.isOpenCall ||= fromOpenCall
    total.onlyIndividuals &&= recipient.type === 'individual'
  }

  of(fundId: string) {
    const { currencies, penceAwarded, penceDisbursed, isOpenCall, onlyIndividuals } =
      this.#totals.get(fundId) ?? nothing()
    // Pounds and euros have no sum: a fund of several currencies says neither one nor the other.
    const [currency = '', ...others] = currencies
    const summable = others.length === 0
    return {
      currency: summable ? currency : '',
      financials: {
        amountAwarded: summable ? penceAwarded / 100 : null,
        amountDisbursed: summable && penceDisbursed !== null ? penceDisbursed / 100 : null,
      },
      isOpenCall,
      recipientType: onlyIndividuals ? 'individual' : 'organisation',
    } as const
  }
}

const nothing = (): Total => ({
  currencies: new Set(),
  penceAwarded: 0,
  penceDisbursed: null,
  isOpenCall: false,
  onlyIndividuals: true,
})
