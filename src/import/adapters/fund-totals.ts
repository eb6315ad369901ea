import type { RecordValues } from '../../model/record-properties.ts'
import { toPence } from '../../platform/money.ts'
import type { grantApplicationRecord } from '../../resources/grant-applications.ts'

type Application = RecordValues<typeof grantApplicationRecord>

type FundTotal = {
  currencies: Set<string>
  penceAwarded: number
  penceDisbursed: number | null
  isOpenCall: boolean
  hasOnlyIndividuals: boolean
}

/** Sums the applications of each fund: amounts awarded and paid, whether any came from an open call, and who received them. */
export class FundTotals {
  readonly #totals = new Map<string, FundTotal>()

  add({ fundId, currency, fromOpenCall, recipient, ...application }: Application): void {
    const total = this.#totals.get(fundId) ?? emptyTotal()
    this.#totals.set(fundId, total)
    total.currencies.add(currency)
    total.penceAwarded += toPence(application.amountAwarded ?? 0)
    if (application.amountDisbursed !== null) {
      total.penceDisbursed = (total.penceDisbursed ?? 0) + toPence(application.amountDisbursed)
    }
    total.isOpenCall ||= fromOpenCall
    total.hasOnlyIndividuals &&= recipient.type === 'individual'
  }

  get(fundId: string) {
    const { currencies, penceAwarded, penceDisbursed, isOpenCall, hasOnlyIndividuals } =
      this.#totals.get(fundId) ?? emptyTotal()
    // Amounts in different currencies cannot be added, so such a fund has no currency and no total.
    const [currency = '', ...otherCurrencies] = currencies
    const hasOneCurrency = otherCurrencies.length === 0
    return {
      currency: hasOneCurrency ? currency : '',
      financials: {
        amountAwarded: hasOneCurrency ? penceAwarded / 100 : null,
        amountDisbursed: hasOneCurrency && penceDisbursed !== null ? penceDisbursed / 100 : null,
      },
      isOpenCall,
      recipientType: hasOnlyIndividuals ? 'individual' : 'organisation',
    } as const
  }
}

const emptyTotal = (): FundTotal => ({
  currencies: new Set(),
  penceAwarded: 0,
  penceDisbursed: null,
  isOpenCall: false,
  hasOnlyIndividuals: true,
})
