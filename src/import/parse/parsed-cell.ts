import type { ErrorCode } from '../../model/validation-error.ts'

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
