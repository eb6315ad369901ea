import type { ValidationError } from '../../model/validation-error.ts'
import type { RecordDestination } from '../destination/destination.ts'
import type { LineError } from '../source/source.ts'
import type { ImportRow } from './import-row.ts'

/*
 * Rows that are already partial records and need no mapping. Their errors contain no values,
 * because the reports leave the computer of the file's owner.
 */

export const toRow = (line: number, id: string, patch: unknown): ImportRow => ({
  line,
  id,
  document: undefined,
  patch,
  errors: [],
  warnings: [],
})

/** A row with errors and without a record. */
export function toInvalidRow(line: number, errors: readonly ValidationError[]): ImportRow {
  const row = toRow(line, '', undefined)
  for (const error of errors) addFieldError(row, error)
  return row
}

/** Adds an error to a row, without the value. */
export function addFieldError(row: ImportRow, { field, message, code }: ValidationError): void {
  row.errors.push({ column: field, message, code, value: '' })
}

export const listErrors = ({ line, errors }: ImportRow): LineError[] =>
  errors.map(({ column, message, code }) => ({ line, field: column, message, code }))

/** Sets the stored documents of rows with an id. */
export async function readStored(
  destination: RecordDestination,
  collection: string,
  rows: readonly ImportRow[],
): Promise<void> {
  const withId = rows.filter(({ id }) => id !== '')
  const documents = await destination.readDocuments(
    collection,
    withId.map(({ id }) => id),
  )
  for (const row of withId) row.document = documents.get(row.id)
}
