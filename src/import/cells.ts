import { separated } from '../model/cell-text.ts'

/** Makes a value of a cell's text. */
export type ReadCell = (cell: string) => unknown

/** How a cell is read as a value of a type; what cannot be read stays a text, for the check to name. */
export const cells = {
  text: (cell: string) => cell,
  number: (cell: string) =>
    Number.isFinite(Number(cell)) && cell.trim() !== '' ? Number(cell) : cell,
  boolean: (cell: string) => ({ true: true, false: false })[cell.trim().toLowerCase()] ?? cell,
  list: separated,
  /** What the API shows and a record is not given: it is worked out anew. */
  shown: () => undefined,
  json(cell: string): unknown {
    try {
      return JSON.parse(cell)
    } catch {
      return cell
    }
  },
}
