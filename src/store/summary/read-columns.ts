import type { SQL } from 'drizzle-orm/sql'
import type { FieldPath } from '../../model/query/predicate.ts'
import type { OrdinalSet } from '../query/ordinal-set.ts'
import type { QueryReader } from '../query/query-reader.ts'
import type { Scope } from '../statement.ts'
import { ValueColumn } from './column.ts'
import { numberRecords } from './numbered-records.ts'
import { fillFromDocuments } from './read-documents.ts'
import { fillFromIndex, indexCosts, selectIndexCosts } from './read-index.ts'
import { fillFromPacks, selectPackedVersion } from './read-packs.ts'

/*
 * Reads the values of fields of many records. The index gives them without documents if the fields have few values:
 * it reads one row for each value and block of records. Packed columns have one row for 2,000 records, and one for each
 * different value. Documents are one row for each record.
 */

/** The columns of a head for `readColumns`. */
export const selectColumnCosts = (
  scope: Scope,
  fields: readonly FieldPath[],
): Record<string, SQL> => ({
  ...selectIndexCosts(scope, fields),
  ...selectPackedVersion(scope, fields),
})

/**
 * Reads the values of some fields of the matched records, from where that takes the fewest rows. One pass through the
 * documents gives every field. The head of `reader` has the columns of `selectColumnCosts`.
 */
export async function readColumns(
  reader: QueryReader,
  fields: readonly FieldPath[],
  matched: OrdinalSet,
): Promise<ValueColumn[]> {
  const records = numberRecords(matched)
  const { ordinals } = records
  const columns = fields.map(() => new ValueColumn(ordinals.length))
  if (fields.length === 0 || ordinals.length === 0) return columns
  const costs = indexCosts(reader.head, fields)
  const costOfIndex = costs.reduce((sum, cost) => sum + (cost?.rows ?? Number.POSITIVE_INFINITY), 0)
  if (costOfIndex <= Math.min(ordinals.length, reader.rowsLeft))
    await fillFromIndex(reader, fields, records, columns)
  else if (!(await fillFromPacks(reader, fields, costs, records, columns)))
    await fillFromDocuments(reader, fields, matched, columns)
  return columns
}
