/** The twelve months up to the current one, as `YYYY-MM`, oldest first. */
export function lastTwelveMonths(today: string): string[] {
  const [year = 0, month = 1] = today.split('-').map(Number)
  return Array.from({ length: 12 }, (_, index) =>
    new Date(Date.UTC(year, month - 12 + index, 1)).toISOString().slice(0, 7),
  )
}

/** Formats `2026-03` as “Mar 2026”. */
export const formatMonth = (month: string) =>
  new Date(`${month}-01`).toLocaleDateString('en-GB', {
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
