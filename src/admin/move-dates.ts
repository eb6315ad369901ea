/** The date of the demo files. Later dates in them are still planned. */
export const demoDate = '2026-11-10'

/**
 * Moves a text's dates by the whole weeks between the demo's date and `day`, so that weekdays stay
 * the same. A date is `YYYY-MM-DD`, alone or before a time, or the `YYYYMMDD` at the end of a
 * recurrence rule (`UNTIL=`).
 */
export function moveDates(day: string, text: string): string {
  const weeks = Math.floor((Date.parse(day) - Date.parse(demoDate)) / weekMs)
  const moveDate = (date: string) =>
    new Date(Date.parse(date) + weeks * weekMs).toISOString().slice(0, 10)
  return text
    .replace(/\b\d{4}-\d\d-\d\d(?!\d)/g, moveDate)
    .replace(/\bUNTIL=(\d{4})(\d\d)(\d\d)/g, (_, year, month, date) => {
      return `UNTIL=${moveDate(`${year}-${month}-${date}`).replaceAll('-', '')}`
    })
}

const weekMs = 7 * 24 * 60 * 60 * 1000
