import { guarded, unguarded } from '../../model/cell-text.ts'
import type { Row } from '../tables/table.ts'

/** The columns that the rows that were not imported have besides their own: `record` is filled in by a person. */
export const restColumns = {
  line: 'Line in the file',
  reasons: 'Why it was not imported',
  record: 'Record to change (its id, or new)',
} as const

/** What the rest of another file says of a row: the record that a person chose for it, and whether it repeated an earlier row. */
export type RestCells = { chosen: string; wasRepeat: boolean }

/** The reason that rejects a row of the same record as an earlier row. */
export const repeatsLine = 'is that of an earlier line, too.'

/** The reason that rejects such a row again, until a person chooses its record. */
export const repeatsRecord = `was that of an earlier line, and is that of a record: correct it, or write the id of the record to change in "${restColumns.record}".`

/** Returns a function that reads the columns of the rest; without them, a row has no choice. */
export function restReader(headings: readonly string[]): (row: Row) => RestCells {
  const reasons = headings.indexOf(restColumns.reasons)
  const record = headings.indexOf(restColumns.record)
  return ({ cells }) => {
    const reason = cells[reasons] ?? ''
    return {
      chosen: unguarded(cells[record] ?? '').trim(),
      wasRepeat: [repeatsLine, repeatsRecord].some((repeat) => reason.includes(repeat)),
    }
  }
}

/** Whether a column of a file is there because the file is the rest of another. */
export const isOfRest = (heading: string): boolean =>
  Object.values(restColumns).some((column) => column === heading)

/** Returns the headings of a file without those of the rest. */
export const ownHeadings = (headings: readonly string[]): string[] =>
  headings.filter((heading) => !isOfRest(heading))

/** Writes the rows of a table that were not imported as CSV, with their lines and the reasons. */
export class RestWriter {
  readonly #own: readonly (readonly [at: number, heading: string])[]

  constructor(headings: readonly string[]) {
    this.#own = [...headings.entries()].filter(([, heading]) => !isOfRest(heading))
  }

  /** The row of headings. */
  get head(): string {
    const { line, reasons, record } = restColumns
    return `\uFEFF${rowOf([...this.#own.map(([, heading]) => heading), line, reasons, record])}`
  }

  row({ line, cells }: Row, reasons: readonly string[], chosen = ''): string {
    const own = this.#own.map(([at]) => cells[at] ?? '')
    return rowOf([...own, String(line), reasons.join(' '), chosen])
  }
}

// An empty cell stays empty: a quote in it would be the id of a record.
const rowOf = (cells: readonly string[]) =>
  `${cells.map((cell) => `"${(cell && guarded(cell)).replaceAll('"', '""')}"`).join(',')}\r\n`
