import { type SQL, sql } from 'drizzle-orm/sql'
import type { FieldPath } from '../../model/query/predicate.ts'
import type { AgeRange } from '../../model/summary/buckets.ts'
import { recordCount } from '../bitmap/bits.ts'
import { bodyOf, decodeRows, integer, type Rows, type Selected } from '../columns.ts'
import { ofCollection } from '../fragments.ts'
import { indexField } from '../query/plan.ts'
import type { QueryReader } from '../query/query-reader.ts'
import { indexColumn } from '../query/sort-keys.ts'
import { toScalar } from '../query/term-ranges.ts'
import { ValueColumn } from './column.ts'
import { summaryAdvice, summaryLimits } from './row-limit.ts'
import type { Tally } from './tally.ts'

/** The number of records, and a column of each field. */
export type RecordColumns = {
  count: number
  columns: readonly ValueColumn[]
  /** How many equal records each record of the columns represents, by default one. */
  weights?: readonly number[] | undefined
}

const columns = { value: indexColumn('value'), count: integer(sql`count`) }

type Term = Selected<typeof columns>

/**
 * Reads all records of a collection by at most one field from the counts of the index: a row for each value, and no
 * bitmap. Which record has which value is unknown, and does not matter while this is the only field. Returns undefined
 * if records have several values in the field.
 */
export async function readFromCounts(
  reader: QueryReader,
  fields: readonly FieldPath[],
  tally: Tally | undefined,
): Promise<RecordColumns | undefined> {
  const [field] = fields
  if (fields.length > 1 || field?.isList) return undefined
  const { scope } = reader
  const ofField = sql`FROM terms WHERE ${ofCollection(scope, scope.collection, 'terms')}
    AND field = ${field ? indexField(field) : ''}`
  const maxTerms = Math.max(0, summaryLimits.rows - reader.rowsRead)
  const ranges = tally?.ranges
  const limit = sql`LIMIT ${maxTerms + 1}`
  const read = ranges
    ? countRanges(ranges, ofField, limit)
    : { columns, from: sql`${ofField} ${limit}` }
  const { head, rows } = await reader.read(bodyOf(read), { records: recordCount(scope) })
  const exceedsLimit = ranges ? reader.rowsRead > summaryLimits.rows : rows.length > maxTerms
  if (exceedsLimit) throw reader.tooManyRows(summaryAdvice)
  const terms = decodeRows(columns, rows).filter((term) => term.count > 0)
  const count = Number(head.records)
  const withoutValue = count - terms.reduce((sum, term) => sum + term.count, 0)
  if (withoutValue < 0) return undefined
  if (tally) return field ? tallyTerms(terms, withoutValue) : tallyTerms([], count)
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

/** The number of records in each range of days, with its last day. Other values have no age. `limit` bounds the rows that each range reads. */
const countRanges = (
  ranges: readonly AgeRange[],
  ofField: SQL,
  limit: SQL,
): Rows<typeof columns> => ({
  columns: {
    value: indexColumn("(range.value ->> 'upTo')"),
    count: integer(sql`(
      SELECT coalesce(sum(day.count), 0) FROM (
        SELECT value, count ${ofField}
          AND terms.value > range.value ->> 'after' AND terms.value <= range.value ->> 'upTo' ${limit}
      ) AS day
      WHERE day.value GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'
    )`),
  },
  from: sql`FROM json_each(${JSON.stringify(ranges)}) AS range`,
})

/** A record for each row, with the number of records that it represents, and one for those without a value. */
function tallyTerms(terms: readonly Term[], withoutValue: number): RecordColumns {
  const weights = terms.map(({ count }) => count)
  if (withoutValue > 0) weights.push(withoutValue)
  const column = new ValueColumn(weights.length)
  for (const [record, { value }] of terms.entries()) column.addValues(record, [toScalar(value)])
  return { count: weights.length, columns: [column], weights }
}
