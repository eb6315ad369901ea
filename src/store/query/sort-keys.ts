import { type SQL, sql } from 'drizzle-orm/sql'
import type { FieldPath } from '../../model/query/predicate.ts'
import type { Order, Position, SortKey } from '../../model/query/query-options.ts'
import { indexedText } from '../bitmap/bits.ts'
import type { Column } from '../columns.ts'
import type { IndexValue, TermRange } from './term-ranges.ts'

/*
 * SQL for values as the index and an order have them. Booleans, and the first 256 bytes of longer texts, are blobs in
 * the index. A *key* is a record's value in a field of `$orderby`; a position in the list has the keys of a record.
 */

/** The path of a field for SQLite's JSON functions. */
export const jsonPath = ({ path }: FieldPath) =>
  `$${path.map((name) => `.${JSON.stringify(name)}`).join('')}`

/** Whether two values of an order are the same. */
export const isSameKey = (one: SortKey | undefined, other: SortKey | undefined) =>
  JSON.stringify(one) === JSON.stringify(other)

/** SQL for a value as the index stores it. D1 binds numbers as REAL, which has no integers above 2^53. */
export function indexValue(value: IndexValue): SQL {
  if (typeof value === 'object') return sql`unhex(${value.hex})`
  return Number.isInteger(value) ? sql.raw(String(value)) : sql`${value}`
}

/**
 * A column with a value of the index. A text begins with `t`, and a blob with `x` and is hexadecimal,
 * because D1 returns a blob as a list of numbers.
 */
export const indexColumn = (value: string): Column<IndexValue> => ({
  expression: sql.raw(
    `CASE typeof(${value}) WHEN 'text' THEN 't' || ${value} WHEN 'blob' THEN 'x' || hex(${value}) ELSE ${value} END`,
  ),
  decode: (encoded) => {
    if (typeof encoded === 'number') return encoded
    const text = String(encoded)
    return text.startsWith('x') ? { hex: text.slice(1) } : text.slice(1)
  },
})

/** SQL that tests whether a value is in a range, and between further bounds. */
export function isInRange(
  value: SQL,
  { low, high, isAbove, isBelow, isLong }: TermRange,
  bounds: { from: readonly SQL[]; upTo: readonly SQL[] } = { from: [], upTo: [] },
): SQL {
  const least = low === null ? sql`-9e999` : indexValue(low)
  const most = high === null ? sql`x'FF'` : indexValue(high)
  const start = extreme('max', [least, ...bounds.from])
  const end = extreme('min', [most, ...bounds.upTo])
  return sql.join(
    [
      sql`${value} >= ${start} AND ${value} <= ${end}`,
      ...(isAbove ? [sql`${value} > ${least}`] : []),
      ...(isBelow ? [sql`${value} < ${most}`] : []),
      ...(isLong ? [sql`length(${value}) <> 1`] : []),
    ],
    sql` AND `,
  )
}

const extreme = (name: 'max' | 'min', [first = sql``, ...others]: readonly SQL[]): SQL =>
  others.length === 0 ? first : sql`${sql.raw(name)}(${sql.join([first, ...others], sql`, `)})`

/** SQL for a field of a document as the index stores it; NULL for lists and objects. */
export function selectKey(field: FieldPath): SQL {
  const path = jsonPath(field)
  const value = sql`(records.document ->> ${path})`
  return sql`CASE json_type(records.document, ${path})
    WHEN 'true' THEN x'01'
    WHEN 'false' THEN x'00'
    WHEN 'array' THEN NULL
    WHEN 'object' THEN NULL
    WHEN 'text' THEN ${indexedText(value)}
    ELSE ${value} END`
}

/** The column with a record's value in the order's field number `index`. */
export const keyColumn = (index: number): SQL => sql.raw(`key${index}`)

/** SQL for a key as an order compares it: a long text, which is a blob, by its beginning among the texts and after an equal one. */
const selectSortValues = (key: SQL): SQL[] => [
  sql`iif(typeof(${key}) = 'blob' AND length(${key}) > 1, CAST(${key} AS TEXT), ${key})`,
  sql`typeof(${key}) = 'blob'`,
]

/** SQL that tests whether a row with the columns key0, key1, … is after a position in the order, by the keys from `index` on. Missing values come last. */
export function isAfter(order: readonly Order[], { keys, ordinal }: Position, index = 0): SQL {
  const field = order[index]
  const key = keys[index] ?? null
  const column = keyColumn(index)
  if (!field) return sql`ordinal > ${indexValue(ordinal)}`
  const rest = isAfter(order, { keys, ordinal }, index + 1)
  if (key === null) return sql`(${column} IS NULL AND ${rest})`
  const value = indexValue(key)
  const beyond = sql.raw(field.isDescending ? '<' : '>')
  const [values, position] = [column, value].map((it) => sql.join(selectSortValues(it), sql`, `))
  return sql`(${column} IS NULL OR (${values}) ${beyond} (${position}) OR ${column} = ${value} AND ${rest})`
}

/** SQL for ORDER BY: by the keys, missing values last, then in order of arrival. */
export const orderByKeys = (order: readonly Order[]): SQL =>
  sql.join(
    [
      ...order.map(({ isDescending }, index) => {
        const column = keyColumn(index)
        const direction = sql.raw(isDescending ? 'DESC' : 'ASC')
        const values = selectSortValues(column).map((value) => sql`${value} ${direction}`)
        return sql`${column} IS NULL, ${sql.join(values, sql`, `)}`
      }),
      sql`ordinal`,
    ],
    sql`, `,
  )
