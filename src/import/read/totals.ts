import type { Row, Table } from './table.ts'

/** Marks the last row of a table if it adds up the others. */
export const markTotalRow = (table: Table): Table => ({
  ...table,
  async *rows() {
    let last: Row | undefined
    for await (const row of table.rows()) {
      if (last) yield last
      last = row
    }
    if (last) yield isTotalRow(last.cells) ? { ...last, isTotal: true } : last
  },
})

/** Whether a row has a word such as "total", and nothing but numbers after it. */
function isTotalRow(cells: readonly string[]): boolean {
  const [word = '', ...rest] = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  return totalPattern.test(word) && rest.every(isAmount) && (rest.length > 0 || /\d$/.test(word))
}

const totalPattern =
  /^(?:(?:(?:grand|overall|sum|sub)[ -]?)?totals?|sum|count)(?: (?:number of )?(?:members|people|volunteers|partners|attendees|participants|bookings|amount|attendance))?\s*[:=]?\s*[\d.,]*$/i

// A telephone number begins with 0 and is no amount.
const isAmount = (cell: string) =>
  /^[-+(]?\s*[£€$]?\s*\d[\d,. ']*%?\)?$/.test(cell) && !/^0\d{3}/.test(cell)
