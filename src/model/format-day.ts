/** The short names of the months, in order. */
export const shortMonths = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** A day such as "14 Mar 2026"; another text unchanged. */
export function formatDay(day: string): string {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)/.exec(day) ?? []
  return year ? `${Number(date)} ${shortMonths[Number(month) - 1]} ${year}` : day
}
