import { type SQL, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'

/** A collection of one organisation. */
export type Scope = { organisationId: string; collection: string }

const dialect = new SQLiteAsyncDialect()

/**
 * Prepares a query as a D1 statement with bound parameters. Drizzle's own batch does not support
 * raw SQL.
 */
export function statement(d1: D1Database, query: SQL): D1PreparedStatement {
  const { sql: text, params } = dialect.sqlToQuery(query)
  return d1.prepare(text).bind(...params)
}

export type Row = Record<string, string | number | null>

/** The rows to read: column names, a query, and a WITH clause that the head shares. */
export type Body = { columns: readonly string[]; rows: SQL; with?: SQL }

/** The parsed result of `headAndRows`. */
export type QueryResult = { head: Row; rows: Row[] }

/**
 * Combines a head and a body in one statement, because a statement costs D1 about as much as 100
 * rows. The first row is the head, which shares the body's columns because each column costs time
 * in every row; without a row from `source`, its columns are NULL.
 */
export function headAndRows(head: Record<string, SQL>, body?: Body, source?: SQL) {
  const names = Object.keys(head)
  const columns = [...(body?.columns ?? []), ...names.slice(body?.columns.length ?? 0)]
  const values = Object.values(head)
  const first = sql`SELECT ${list(
    columns.map((column, index) => sql`${values[index] ?? sql`NULL`} AS ${sql.identifier(column)}`),
  )} ${source ? sql`FROM (VALUES (1)) LEFT JOIN (${source}) AS source` : sql``}`
  return { query: body ? appendRows(first, body, columns.length) : first, split }

  function split([first = {}, ...rows]: Row[]): QueryResult {
    const values = names.map((name, index) => [name, first[columns[index] ?? name] ?? null])
    return { head: Object.fromEntries(values), rows }
  }
}

function appendRows(first: SQL, body: Body, width: number): SQL {
  const padding = Array.from({ length: width - body.columns.length }, () => sql`NULL`)
  return sql`${body.with ?? sql``} ${first}
    UNION ALL SELECT ${list([sql`*`, ...padding])} FROM (${body.rows})`
}

const list = (items: SQL[]) => sql.join(items, sql`, `)
