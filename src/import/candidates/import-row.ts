import type { ErrorCode, Validated } from '../../model/validation-error.ts'
import type { NewDocument } from '../../store/write/put.ts'

/** A message about a cell, or about a whole row if `column` is ''. */
export type CellMessage = { column: string; message: string; value: string }

export type CellError = CellMessage & { code: ErrorCode }

/**
 * A row of a file as a record: its id ('' without one), its stored record as JSON text (undefined if there is none), and
 * a JSON Merge Patch to it.
 */
export type ImportRow = {
  line: number
  id: string
  document: string | undefined
  patch: unknown
  /** The record that a row without a stored record creates, if its patch has been validated already. */
  merged?: Validated<NewDocument>
  errors: CellError[]
  warnings: CellMessage[]
}
