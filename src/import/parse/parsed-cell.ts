import type { ErrorCode } from '../../model/validation-error.ts'

/**
 * A parsed cell: its value (null if empty), or the error. `note` is a warning about the value, and
 * `unlisted` are the texts of the cell that are none of the column's choices by themselves.
 */
export type ParsedCell = (
  | { value: unknown; note?: string }
  | { message: string; code: ErrorCode }
) & {
  unlisted?: readonly string[]
}

/** A parser for the cells of one column. */
export type ParseCell = (cell: string) => ParsedCell
