import { splitList } from '../model/cell-text.ts'

/** How the cells of a column are read: a value of a cell's text, and what an empty cell gives, where null clears the property and undefined does not mention it. */
export type CellParser = { parse: (cell: string) => unknown; empty: null | undefined }

/** How a cell is read as a value of a type; what cannot be read stays a text, for the check to name. */
export const cellParsers = {
  text: clearWhenEmpty((cell) => cell),
  number: clearWhenEmpty((cell) =>
    Number.isFinite(Number(cell)) && cell.trim() !== '' ? Number(cell) : cell,
  ),
  boolean: clearWhenEmpty(
    (cell) => ({ true: true, false: false })[cell.trim().toLowerCase()] ?? cell,
  ),
  list: clearWhenEmpty(splitList),
  json: clearWhenEmpty((cell) => {
    try {
      return JSON.parse(cell)
    } catch {
      return cell
    }
  }),
  /** A derived property, which answers show and an import ignores. */
  ignored: { parse: () => undefined, empty: undefined },
  /** A heading between fields, which has no value to clear. */
  divider: { parse: (cell: string) => cell, empty: undefined },
} satisfies Record<string, CellParser>

function clearWhenEmpty(parse: (cell: string) => unknown): CellParser {
  return { parse, empty: null }
}
