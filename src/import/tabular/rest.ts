import { guarded } from '../../model/cell-text.ts'
import type { Row } from '../tables/table.ts'

/** The row of headings for the rows of a table that were not imported, as CSV: the reasons come behind them. */
export const restHead = (headings: readonly string[]): string =>
  `\uFEFF${rowOf([...headings, restColumns.line, restColumns.reasons])}`

/** A row that was not imported as a line of CSV, with its line in the file and why not. */
export function restRow(
  { line, cells }: Row,
  reasons: readonly string[],
  headings: readonly string[],
): string {
  const own = headings.map((_, place) => cells[place] ?? '')
  return rowOf([...own, String(line), reasons.join(' ')])
}

/** What the two columns of the rest are called that the file did not have. */
const restColumns = { line: 'Line in the file', reasons: 'Why it was not imported' } as const

/** Whether a column of a file is there because the file is the rest of another. */
export const isOfRest = (heading: string): boolean =>
  heading === restColumns.line || heading === restColumns.reasons

/** The headings of a file, less those that it has as the rest of another. */
export const ownHeadings = (headings: readonly string[]): string[] =>
  headings.filter((heading) => !isOfRest(heading))

const rowOf = (cells: readonly string[]) =>
  `${cells.map((cell) => `"${guarded(cell).replaceAll('"', '""')}"`).join(',')}\r\n`
