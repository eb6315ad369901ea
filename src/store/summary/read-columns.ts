import { type SQL, sql } from 'drizzle-orm/sql'
import { type FieldPath, isScalar, type Scalar } from '../../model/query/predicate.ts'
import { blockSize, collectionTerm } from '../bitmap/bits.ts'
import { maxRowsRead } from '../bitmap/matches.ts'
import { type Column, type Columns, integer, json, type Selected } from '../columns.ts'
import { ofCollection } from '../fragments.ts'
import type { OrdinalSet } from '../query/ordinal-set.ts'
import { anyValueOf, indexField } from '../query/plan.ts'
import type { QueryReader } from '../query/query-reader.ts'
import { readBlocks } from '../query/read-blocks.ts'
import { jsonPath } from '../query/sort-keys.ts'
import { cutText, maxBytes, toScalar } from '../query/term-ranges.ts'
import type { Scope } from '../statement.ts'
import { ValueColumn } from './column.ts'

/*
 * Reads the values of fields of many records. The index gives them without documents if the fields have few values:
 * it reads one row for each value and block of records, instead of one for each record.
 */

/** The maximum number of rows that a summary reads. */
export const summaryLimits = { rows: maxRowsRead }

/** The maximum number of values of a field that is read from the index. */
const maxIndexedValues = 2000

/** The approximate number of rows that D1 reads for each value of a field, besides its bitmaps. */
const rowsPerValue = 4

/** The number of records of a statement. A list can be long. */
const chunkRecords = 5000

/** The advice for a summary that would read too many rows. */
export const summaryAdvice =
  'Add a condition to $filter, such as a shorter range of dates, or leave out names of $by and $measures.'

/** Throws 400 unless a number of rows is left for a query. */
export function requireRows(reader: QueryReader, rows: number): void {
  if (reader.rowsRead + rows > summaryLimits.rows) throw reader.tooManyRows(summaryAdvice)
}

/** The columns of a head for `indexCost`: how many values each field has, and in how many bitmaps at most. */
export function selectIndexCosts(scope: Scope, fields: readonly FieldPath[]): Record<string, SQL> {
  const blocks = sql`(SELECT last / ${sql.raw(String(blockSize))} + 1 FROM terms WHERE ${collectionTerm(scope)})`
  return Object.fromEntries(
    fields.map((field, index) => [
      costName(index),
      sql`(SELECT json_array(count(*), coalesce(sum(min(count, ${blocks})), 0)) FROM (
        SELECT count FROM terms WHERE ${ofCollection(scope, scope.collection, 'terms')}
          AND field = ${indexField(field)} LIMIT ${sql.raw(String(maxIndexedValues + 1))}
      ))`,
    ]),
  )
}

const costName = (index: number) => `index_cost${index}`

const costColumn = json<[values: number, bitmaps: number]>(sql``)

/** The number of rows that the index reads for a field; Infinity if it has too many values. */
function indexCost({ head }: QueryReader, index: number): number {
  const [values, bitmaps] = costColumn.decode(head[costName(index)] ?? '[0,0]')
  return values > maxIndexedValues ? Number.POSITIVE_INFINITY : rowsPerValue * values + bitmaps
}

/**
 * Reads the values of some fields of the matched records. Reads either all from the index or all from the documents,
 * because one pass through the documents gives every field. The head of `reader` has the columns of `selectIndexCosts`.
 */
export async function readColumns(
  reader: QueryReader,
  fields: readonly FieldPath[],
  matched: OrdinalSet,
): Promise<ValueColumn[]> {
  const ordinals = Int32Array.from(matched.ordinals())
  const columns = fields.map(() => new ValueColumn(ordinals.length))
  if (fields.length === 0 || ordinals.length === 0) return columns
  const costs = fields.map((_, index) => indexCost(reader, index))
  const costOfIndex = costs.reduce((sum, cost) => sum + cost, 0)
  if (costOfIndex <= Math.min(ordinals.length, reader.rowsLeft))
    await fillFromIndex(reader, fields, matched, ordinals, columns)
  else
    await readDocuments(
      reader,
      matched,
      { columns: selectValues(fields), chunkRecords },
      (record, values) => addValues(columns, record, values),
    )
  return columns
}

async function fillFromIndex(
  reader: QueryReader,
  fields: readonly FieldPath[],
  matched: OrdinalSet,
  ordinals: Int32Array,
  columns: readonly ValueColumn[],
): Promise<void> {
  const { terms } = await readBlocks(reader, {
    leaves: fields.map(anyValueOf),
    readsValues: true,
    blocks: 'all',
    readsLeaves: true,
    readsCollection: false,
  })
  const recordOf = numberRecords(ordinals)
  for (const { leaf, value: indexed, words } of terms) {
    const column = columns[leaf]
    const value = toScalar(indexed)
    if (!column || value === '') continue
    const code = column.encode(value)
    matched.visitWords(words, (ordinal) => column.add(recordOf[ordinal] ?? -1, code))
  }
}

/** The number of the record of each ordinal. */
function numberRecords(ordinals: Int32Array): Int32Array {
  const recordOf = new Int32Array((ordinals.at(-1) ?? 0) + 1)
  for (const [record, ordinal] of ordinals.entries()) recordOf[ordinal] = record
  return recordOf
}

/** Reads columns of the documents of the matched records, some records a statement, and passes each row with the number of its record. */
export async function readDocuments<C extends Columns>(
  reader: QueryReader,
  matched: OrdinalSet,
  { columns, chunkRecords }: { columns: C; chunkRecords: number },
  addRow: (record: number, row: Selected<C>) => void,
): Promise<void> {
  const ordinals = Int32Array.from(matched.ordinals())
  const recordOf = numberRecords(ordinals)
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
    for (const row of rows) if (matched.has(row.ordinal)) addRow(recordOf[row.ordinal] ?? -1, row)
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
