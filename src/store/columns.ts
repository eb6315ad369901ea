import { type SQL, sql } from 'drizzle-orm/sql'
import { type Body, nameColumns, type Row } from './statement.ts'

type Value = string | number | null

/*
 * A query names each column once: its name, its SQL and its type give the SELECT, the decoding of the
 * rows and their type.
 */

/** A column to read: its SQL, and its value in TypeScript. */
export type Column<Type> = { expression: SQL; decode: (value: Value) => Type }

export type Columns = Record<string, Column<unknown>>

/** A row of columns. */
export type Selected<C extends Columns> = { [Name in keyof C]: ReturnType<C[Name]['decode']> }

/** Rows to read. `from` begins with FROM; `with` begins with WITH and serves the whole statement. */
export type Rows<C extends Columns> = { columns: C; from: SQL; with?: SQL }

export const text = (expression: SQL): Column<string> => ({ expression, decode: String })
export const integer = (expression: SQL): Column<number> => ({ expression, decode: Number })
export const flag = (expression: SQL): Column<boolean> => ({ expression, decode: (v) => v === 1 })

export const nullable = <Type>({ expression, decode }: Column<Type>): Column<Type | null> => ({
  expression,
  decode: (value) => (value === null ? null : decode(value)),
})

/** Undefined where the database has NULL. */
export const optional = <Type>({ expression, decode }: Column<Type>): Column<Type | undefined> => ({
  expression,
  decode: (value) => (value === null ? undefined : decode(value)),
})

/** A value of the index or of a document, in its stored form. */
export const scalar = (expression: SQL): Column<Value> => ({ expression, decode: (v) => v })

/** A text that holds JSON of a known type, as this service wrote it. */
export const json = <Type>(expression: SQL): Column<Type> => ({
  expression,
  decode: (value) => JSON.parse(String(value)) as Type,
})

/** The items of a query, which selects them as `item`: values, or JSON with `isJson`. */
export const list = <Type>(query: SQL, { isJson = false } = {}): Column<Type[]> =>
  json(sql`(SELECT json_group_array(${isJson ? sql`json(item)` : sql`item`}) FROM (${query}))`)

/** A text that is one of a few, as the database's own constraints ensure. */
export const enumeration = <Type extends string>(expression: SQL): Column<Type> => ({
  expression,
  decode: (value) => String(value) as Type,
})

export const expressionsOf = (columns: Columns): Record<string, SQL> =>
  Object.fromEntries(Object.entries(columns).map(([name, { expression }]) => [name, expression]))

/** SQL for the columns of a SELECT. */
export const selectColumns = (columns: Columns): SQL => nameColumns(expressionsOf(columns))

/** The rows of columns as a part of a statement. */
export const bodyOf = ({ columns, from, with: clause }: Rows<Columns>): Body => ({
  columns: Object.keys(columns),
  with: clause,
  rows: sql`SELECT ${selectColumns(columns)} ${from}`,
})

/** A function that decodes rows of columns. A page has many rows, so it does not list the columns again for each. */
export function rowDecoder<C extends Columns>(columns: C): (row: Row) => Selected<C> {
  const entries = Object.entries(columns)
  return (row) => {
    const values: Record<string, unknown> = {}
    for (const [name, { decode }] of entries) values[name] = decode(row[name] ?? null)
    return values as Selected<C>
  }
}

export const decodeRow = <C extends Columns>(columns: C, row: Row): Selected<C> =>
  rowDecoder(columns)(row)

export const decodeRows = <C extends Columns>(columns: C, rows: readonly Row[]): Selected<C>[] =>
  rows.map(rowDecoder(columns))
