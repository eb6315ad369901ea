import type { ValidationError } from '../../model/validation-error.ts'
import type { RecordDestination } from '../destination/destination.ts'
import type { CellError, ImportRow } from './import-row.ts'

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
export const toInvalidRow = (line: number, errors: readonly ValidationError[]): ImportRow => ({
  ...toRow(line, '', undefined),
  errors: errors.map(toCellError),
})

/** Adds an error to a row. */
export function addFieldError({ errors }: ImportRow, error: ValidationError): void {
  errors.push(toCellError(error))
}

export const toCellError = ({ field, message, code }: ValidationError): CellError => ({
  column: field,
  message,
  code,
  value: '',
})

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
