import type { ErrorCode } from '../../model/validation-error.ts'
import type { ImportCounts } from '../../store/imports/running-import.ts'
import type { AmbiguousRow, RepeatedRow } from '../candidates/match-records.ts'
import type { UnclearMember } from '../candidates/new-members.ts'
import type { SimilarPerson } from '../candidates/similar-people.ts'
import type { UnlistedColumn } from '../candidates/unlisted-values.ts'
import type { Example } from '../mapping/column-facts.ts'
import type { MessageGroup } from './message-groups.ts'

/**
 * The result of an import, the same for every file: the numbers of valid and of rejected records,
 * how many were created, updated and unchanged, and the errors.
 */
export type ImportResult = ImportCounts & {
  /** The number of valid records, written or not. */
  records: number
  errors: MessageGroup<ErrorCode>[]
}

/** The result of a table, with everything that a person needs to review its import. */
export type TableImportResult = ImportResult & {
  rows: number
  changes: { field: string; records: number }[]
  /** The first changed records, and a hash of all changes. */
  changed: PreviewedChange[]
  changesHash: number
  warnings: MessageGroup<undefined>[]
  /** Unmapped columns with values. */
  leftOut: string[]
  /** The texts that are none of their column's choices by themselves. */
  unlisted: UnlistedColumn[]
  /** The rows with the record of an earlier row. */
  repeated: readonly RepeatedRow[]
  /** The rows with the details of several people. */
  ambiguous: readonly AmbiguousRow[]
  /** The new people who may be the same as others, the most similar first. */
  similar: readonly SimilarPerson[]
  /** The number of booked people who become members, and the others with the name of a member. */
  addedMembers: number
  unclearMembers: readonly UnclearMember[]
  /** The first cells with errors, with the heading of their column. */
  invalidCells: InvalidCell[]
}

/** A changed record: its line, id and name, and its first changed fields with old and new values. */
export type PreviewedChange = {
  line: number
  id: string
  name: string
  fields: { field: string; before: string; after: string }[]
}

/** A cell with an error, and its whole text. */
export type InvalidCell = Example & { column: string; message: string }

/** The result of a file that writes nothing. */
export const writeNothing = ({
  records,
  rejected,
  errors,
}: Pick<ImportResult, 'records' | 'rejected' | 'errors'>): ImportResult => ({
  records,
  created: 0,
  updated: 0,
  unchanged: 0,
  rejected,
  errors,
})

/** Errors as the API shows them: by field and line, without any value of the file. */
export const withoutValues = (errors: ImportResult['errors']) =>
  errors.map(({ column, message, code, count, examples }) => ({
    field: column,
    message,
    code,
    count,
    lines: examples.map(({ line }) => line),
  }))
