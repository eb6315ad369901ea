import type { ErrorCode } from './validation-error.ts'

/** A parsed cell: its value (null if empty) with a warning about it, or the error. */
export type ParsedCell = (
  | { value: unknown; note?: string }
  | { message: string; code: ErrorCode }
) & {
  /** The texts of the cell that are no option or yes or no: a person may choose a value for each in the mapping. */
  unlisted?: readonly string[]
}

/** A parser for the cells of one column. */
export type ParseCell = (cell: string) => ParsedCell

/** The error of a cell in which a spreadsheet has lost digits. */
export const lostDigits: ParsedCell = {
  message:
    'was shortened by a spreadsheet, and its digits are lost: export the column again as text.',
  code: 'lost_digits',
}
