import { sql } from 'drizzle-orm/sql'
import type { FieldPath } from '../../model/query/predicate.ts'
import { recordCount } from '../bitmap/bits.ts'
import { bodyOf, decodeRows, integer } from '../columns.ts'
import { ofCollection } from '../fragments.ts'
import { indexField } from '../query/plan.ts'
import type { QueryReader } from '../query/query-reader.ts'
import { indexColumn } from '../query/sort-keys.ts'
import { toScalar } from '../query/term-ranges.ts'
import { ValueColumn } from './column.ts'
import { summaryAdvice, summaryLimits } from './row-limit.ts'

/** The number of records, and a column of each field. */
export type RecordColumns = { count: number; columns: readonly ValueColumn[] }

/**
 * Reads all records of a collection by at most one field from the counts of the index: a row for each value, and no
 * bitmap. Which record has which value is unknown, and does not matter while this is the only field. Returns
 * undefined if records have several values in the field.
 */
export async function readFromCounts(
  reader: QueryReader,
  fields: readonly FieldPath[],
): Promise<RecordColumns | undefined> {
  const [field] = fields
  if (fields.length > 1 || field?.isList) return undefined
  const { scope } = reader
  const columns = { value: indexColumn('value'), count: integer(sql`count`) }
  const maxValues = Math.max(0, summaryLimits.rows - reader.rowsRead)
  const { head, rows } = await reader.read(
    bodyOf({
      columns,
      from: sql`FROM terms WHERE ${ofCollection(scope, scope.collection, 'terms')}
        AND field = ${field ? indexField(field) : ''} LIMIT ${maxValues + 1}`,
    }),
    { records: recordCount(scope) },
  )
  if (rows.length > maxValues) throw reader.tooManyRows(summaryAdvice)
  const terms = decodeRows(columns, rows)
  const count = Number(head.records)
  if (terms.reduce((sum, term) => sum + term.count, 0) > count) return undefined
  if (!field) return { count, columns: [] }
  const column = new ValueColumn(count)
  let record = 0
  for (const term of terms) {
    const value = toScalar(term.value)
    const end = record + term.count
    const code = value === '' ? undefined : column.encode(value)
    for (; record < end; record++) if (code !== undefined) column.add(record, code)
  }
  return { count, columns: [column] }
}
