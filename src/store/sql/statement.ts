import type { SQL } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'

const dialect = new SQLiteAsyncDialect()

/**
 * Returns a query as a D1 statement with bound parameters; Drizzle's own batch cannot do this with
 * raw SQL.
 */
export function statement(d1: D1Database, query: SQL): D1PreparedStatement {
  const { sql, params } = dialect.sqlToQuery(query)
  return d1.prepare(sql).bind(...params)
}
