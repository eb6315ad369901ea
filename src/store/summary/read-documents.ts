import { type SQL, sql } from 'drizzle-orm/sql'
import { type FieldPath, isScalar, type Scalar } from '../../model/query/predicate.ts'
import { type Column, type Columns, integer, type Selected } from '../columns.ts'
import { ofCollection } from '../fragments.ts'
import type { OrdinalSet } from '../query/ordinal-set.ts'
import type { QueryReader } from '../query/query-reader.ts'
import { jsonPath } from '../query/sort-keys.ts'
import { cutText, maxBytes } from '../query/term-ranges.ts'
import type { ValueColumn } from './column.ts'
import { numberRecords } from './numbered-records.ts'
import { requireRows } from './row-limit.ts'

/** Reads columns of the documents of the matched records, some records a statement, and passes each row with the number of its record. */
export async function readDocuments<C extends Columns>(
  reader: QueryReader,
  matched: OrdinalSet,
  { columns, chunkRecords }: { columns: C; chunkRecords: number },
  addRow: (record: number, row: Selected<C>) => void,
): Promise<void> {
  const { ordinals, recordOf } = numberRecords(matched)
  const chunks = Array.from({ length: Math.ceil(ordinals.length / chunkRecords) }, (_, index) =>
    ordinals.subarray(index * chunkRecords, (index + 1) * chunkRecords),
  ).map((chunk) => ({ chunk, ...planChunk(chunk) }))
  requireRows(
    reader,
    chunks.reduce((sum, { cost }) => sum + cost, 0),
  )
  for (const { condition } of chunks) {
    const rows = await reader.select({
      columns: { ...columns, ordinal: integer(sql`ordinal`) },
      from: sql`FROM records WHERE ${ofCollection(reader.scope, reader.scope.collection)} AND ${condition}`,
    })
    for (const row of rows) {
      const record = recordOf(row.ordinal)
      if (record !== undefined) addRow(record, row)
    }
  }
}

/** The condition that finds the records of a chunk, and the number of rows that it reads: a range, or a list if they are few in their range. */
function planChunk(chunk: Int32Array): { condition: SQL; cost: number } {
  const lowest = chunk[0] ?? 0
  const highest = chunk.at(-1) ?? 0
  const range = highest - lowest + 1
  if (range <= 2 * chunk.length)
    return {
      condition: sql`ordinal BETWEEN ${sql.raw(String(lowest))} AND ${sql.raw(String(highest))}`,
      cost: range,
    }
  return {
    condition: sql`ordinal IN (SELECT value FROM json_each(${JSON.stringify([...chunk])}))`,
    cost: 2 * chunk.length,
  }
}

/** Adds the values of some fields of the matched records to columns. */
export const fillFromDocuments = (
  reader: QueryReader,
  fields: readonly FieldPath[],
  matched: OrdinalSet,
  columns: readonly ValueColumn[],
): Promise<void> =>
  readDocuments(
    reader,
    matched,
    { columns: selectValues(fields), chunkRecords },
    (record, values) => addValues(columns, record, values),
  )

/** The number of records of a statement. A list can be long. */
const chunkRecords = 5000

/** The values of a record in a row, by the number of the field. */
type RowValues = Record<`value${number}`, readonly Scalar[]>

/** The columns with the values of some fields of a row of `records`. */
export const selectValues = (
  fields: readonly FieldPath[],
): Record<`value${number}`, Column<readonly Scalar[]>> =>
  Object.fromEntries(fields.map((field, index) => [`value${index}`, valuesOf(field)]))

/** Adds the values of a row to the columns of the fields. */
export function addValues(
  columns: readonly ValueColumn[],
  record: number,
  values: RowValues,
): void {
  for (const [index, column] of columns.entries())
    column.addValues(record, values[`value${index}`] ?? [])
}

/**
 * A column with the values of a field: none, one, or the elements of a list. A text begins with `t`, JSON with `j`,
 * and a long text is cut as in the index.
 */
function valuesOf(field: FieldPath): Column<readonly Scalar[]> {
  const path = jsonPath(field)
  const value = sql`(document ->> ${path})`
  return {
    expression: sql`CASE json_type(document, ${path})
      WHEN 'text' THEN 't' || substr(${value}, 1, ${sql.raw(String(maxBytes))})
      WHEN 'integer' THEN ${value}
      WHEN 'real' THEN ${value}
      WHEN 'object' THEN NULL
      WHEN 'null' THEN NULL
      ELSE 'j' || (document -> ${path}) END`,
    decode: (encoded) => scalarsOf(decodeValue(encoded)),
  }
}

/** Decodes a value that a statement encoded: a text after `t`, JSON after `j`, or a number. */
export function decodeValue(encoded: string | number | null): unknown {
  if (typeof encoded !== 'string') return encoded
  return encoded.startsWith('t') ? encoded.slice(1) : JSON.parse(encoded.slice(1))
}

/** The values in a decoded one: none, one, or the elements of a list, each long text cut as in the index. */
export const scalarsOf = (value: unknown): Scalar[] =>
  (Array.isArray(value) ? value : [value])
    .filter(isScalar)
    .map((item) => (typeof item === 'string' ? cutText(item) : item))
