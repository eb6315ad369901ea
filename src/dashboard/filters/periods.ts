/** The periods of a date filter, in the order of the choice. */
const periods = {
  'this-month': 'this month',
  'last-month': 'last month',
  'this-quarter': 'this quarter',
  'last-quarter': 'last quarter',
  'this-year': 'this year',
  'last-year': 'last year',
  'this-financial-year': 'this financial year',
  'last-financial-year': 'last financial year',
  'last-12-months': 'last 12 months',
} as const

/** A period that is computed when a page opens, so that a saved view stays current. */
export type Period = keyof typeof periods

export const periodNames = Object.keys(periods) as Period[]

export const isPeriod = (text: string): text is Period => Object.hasOwn(periods, text)

/** A period in words, such as "last quarter". */
export const describePeriod = (period: Period): string => periods[period]

/** The first and the last day of a period; `today` is a day in UK time. */
export function periodDays(period: Period, today: string): { from: string; to: string } {
  const [year = 0, month = 1] = today.split('-').map(Number)
  const financialYear = month < 4 ? year - 1 : year
  const quarter = Math.floor((month - 1) / 3) * 3 + 1
  switch (period) {
    case 'this-month':
      return months(year, month, 1)
    case 'last-month':
      return months(year, month - 1, 1)
    case 'this-quarter':
      return months(year, quarter, 3)
    case 'last-quarter':
      return months(year, quarter - 3, 3)
    case 'this-year':
      return months(year, 1, 12)
    case 'last-year':
      return months(year - 1, 1, 12)
    case 'this-financial-year':
      return months(financialYear, 4, 12)
    case 'last-financial-year':
      return months(financialYear - 1, 4, 12)
    case 'last-12-months':
      // Whole months, of which the last one is still running.
      return { from: months(year, month - 11, 1).from, to: today }
  }
}

/** The first and last day of some months. Months before the first belong to the year before. */
const months = (year: number, first: number, count: number) => ({
  from: toDay(Date.UTC(year, first - 1, 1)),
  to: toDay(Date.UTC(year, first - 1 + count, 0)),
})

const toDay = (time: number) => new Date(time).toISOString().slice(0, 10)
