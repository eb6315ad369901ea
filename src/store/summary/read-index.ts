import { type SQL, sql } from 'drizzle-orm/sql'
import type { FieldPath } from '../../model/query/predicate.ts'
import { blockSize, collectionTerm } from '../bitmap/bits.ts'
import { json } from '../columns.ts'
import { ofCollection } from '../fragments.ts'
import type { OrdinalSet } from '../query/ordinal-set.ts'
import { anyValueOf, indexField } from '../query/plan.ts'
import type { QueryReader } from '../query/query-reader.ts'
import { readBlocks } from '../query/read-blocks.ts'
import { toScalar } from '../query/term-ranges.ts'
import type { Row, Scope } from '../statement.ts'
import type { ValueColumn } from './column.ts'
import type { NumberedRecords } from './numbered-records.ts'

/** The maximum number of values of a field that is read from the index. */
const maxIndexedValues = 2000

/** The approximate number of rows that D1 reads for each value of a field, besides its bitmaps. */
const rowsPerValue = 4

/** What the index reads for a field; undefined if the field has too many values. */
export type IndexCost = { values: number; rows: number } | undefined

/** The columns of a head for `indexCosts`: how many values each field has, and in how many bitmaps at most. */
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

/** The cost of each field, from a head with the columns of `selectIndexCosts`. */
export const indexCosts = (head: Row, fields: readonly FieldPath[]): IndexCost[] =>
  fields.map((_, index) => {
    const [values, bitmaps] = costColumn.decode(head[costName(index)] ?? '[0,0]')
    return values > maxIndexedValues ? undefined : { values, rows: rowsPerValue * values + bitmaps }
  })

/**
 * Adds the values of some fields of the matched records to columns, from the bitmaps of their terms. Returns the
 * ordinals of all records at that time if `readsCollection`.
 */
export async function fillFromIndex(
  reader: QueryReader,
  fields: readonly FieldPath[],
  { matched, recordOf }: NumberedRecords,
  columns: readonly ValueColumn[],
  readsCollection = false,
): Promise<OrdinalSet> {
  const { terms, collection } = await readBlocks(reader, {
    leaves: fields.map(anyValueOf),
    readsValues: true,
    blocks: 'all',
    readsLeaves: true,
    readsCollection,
  })
  for (const { leaf, value: indexed, words } of terms) {
    const column = columns[leaf]
    const value = toScalar(indexed)
    if (!column || value === '') continue
    const code = column.encode(value)
    matched.visitWords(words, (ordinal) => column.add(recordOf(ordinal) ?? -1, code))
  }
  return collection
}
