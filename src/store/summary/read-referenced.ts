import { sql } from 'drizzle-orm/sql'
import { isScalar, type Scalar } from '../../model/query/predicate.ts'
import type { QueryField } from '../../model/query/resolve.ts'
import { collectionTerm } from '../bitmap/bits.ts'
import { integer, text } from '../columns.ts'
import { documentPasses, ofCollection } from '../fragments.ts'
import { QueryReader, type RowBudget } from '../query/query-reader.ts'
import type { QueryGuard } from '../query/record-query.ts'
import type { Store } from '../store.ts'
import { ValueColumn } from './column.ts'
import { addValues, selectValues } from './read-documents.ts'
import { requireRows } from './row-limit.ts'

/** The number of records of a statement. */
const chunkRecords = 5000

/**
 * Reads the values of fields of the records with some ids. Returns a function for the values of a record in the field
 * of a number; none without the record, or if it is hidden.
 */
export async function readReferencedFields(
  store: Store,
  guard: QueryGuard,
  ids: readonly string[],
  fields: readonly QueryField[],
  budget: RowBudget,
): Promise<(id: Scalar, field: number) => readonly Scalar[]> {
  const reader = new QueryReader(store, guard, { budget })
  const inCollection = ofCollection(store, guard.collection)
  const visible = guard.policy
    .hiddenRecords(guard.collection)
    .map(({ visible }) => sql` AND ${documentPasses(visible)}`)
  const columns = { ordinal: integer(sql`ordinal`), id: text(sql`id`), ...selectValues(fields) }
  const read = (condition: ReturnType<typeof sql>) =>
    reader.select({
      columns,
      from: sql`FROM records WHERE ${inCollection} AND ${sql.join([condition, ...visible], sql``)}`,
    })
  const records = new Map<string, number>()
  const values = fields.map(() => new ValueColumn(ids.length))
  const add = (rows: Awaited<ReturnType<typeof read>>) => {
    for (const { id, ordinal: _, ...row } of rows) {
      if (!wanted.has(id)) continue
      records.set(id, records.size)
      addValues(values, records.size - 1, row)
    }
  }
  const wanted = new Set(ids)
  for (const condition of await planReads(reader, ids)) add(await read(condition))
  return (id, field) => {
    const record = records.get(String(id))
    const column = values[field]
    if (record === undefined || !column) return []
    return column
      .codesOf(record)
      .map((code) => column.values[code])
      .filter(isScalar)
  }
}

/** The conditions of the statements that read the records: ranges of all records, or lists of ids if these are few. */
async function planReads(reader: QueryReader, ids: readonly string[]) {
  const [collection] = await reader.select({
    columns: { count: integer(sql`count`), last: integer(sql`last`) },
    from: sql`FROM terms WHERE ${collectionTerm(reader.scope)}`,
  })
  const { count, last } = collection ?? { count: 0, last: 0 }
  requireRows(reader, Math.min(count, 2 * ids.length))
  const starts = (end: number) =>
    Array.from({ length: Math.ceil(end / chunkRecords) }, (_, index) => index * chunkRecords)
  if (2 * ids.length <= count)
    return starts(ids.length).map(
      (start) =>
        sql`id IN (SELECT value FROM json_each(${JSON.stringify(ids.slice(start, start + chunkRecords))}))`,
    )
  return starts(last + 1).map(
    (start) =>
      sql`ordinal BETWEEN ${sql.raw(String(start))} AND ${sql.raw(String(start + chunkRecords - 1))}`,
  )
}
