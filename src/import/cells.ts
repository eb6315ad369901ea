import { separated } from '../model/cell-text.ts'

/** How the cells of a column are read: a value of a cell's text, and what an empty cell gives, where null clears the property and undefined does not mention it. */
export type CellReader = { read: (cell: string) => unknown; empty: null | undefined }

/** How a cell is read as a value of a type; what cannot be read stays a text, for the check to name. */
export const cells = {
  text: clearing((cell) => cell),
  number: clearing((cell) =>
    Number.isFinite(Number(cell)) && cell.trim() !== '' ? Number(cell) : cell,
  ),
  boolean: clearing((cell) => ({ true: true, false: false })[cell.trim().toLowerCase()] ?? cell),
  list: clearing(separated),
  json: clearing((cell) => {
    try {
      return JSON.parse(cell)
    } catch {
      return cell
    }
  }),
  /** A derived property, which answers show and an import ignores. */
  shown: { read: () => undefined, empty: undefined },
  /** A heading between fields, which has no value to clear. */
  divider: { read: (cell: string) => cell, empty: undefined },
} satisfies Record<string, CellReader>

function clearing(read: (cell: string) => unknown): CellReader {
  return { read, empty: null }
}
