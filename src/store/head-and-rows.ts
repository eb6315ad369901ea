import { type SQL, sql } from 'drizzle-orm'

/** What a read selects below its head: the names of the columns, the rows, and a WITH clause that they and the head need. */
export type Body = { columns: readonly string[]; rows: SQL; with?: SQL }

/**
 * One statement, so one round trip: its first row holds the head, the others what the body selects.
 * A statement costs D1 about as much as 100 rows, hence not a batch.
 */
export function headAndRows(head: Record<string, SQL>, body?: Body): SQL {
  const columns = body?.columns ?? []
  const named = [
    ...Object.entries(head).map(([name, value]) => sql`${value} AS ${sql.identifier(name)}`),
    ...columns.map((name) => sql`NULL AS ${sql.identifier(name)}`),
  ]
  const first = sql`SELECT ${sql.join(named, sql`, `)}`
  if (!body) return first
  const nulls = Object.keys(head).map(() => sql`NULL`)
  const rest = sql`SELECT ${sql.join(nulls, sql`, `)}, * FROM (${body.rows})`
  return sql`${body.with ?? sql``} ${first} UNION ALL ${rest}`
}
