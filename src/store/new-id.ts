import { type SQL, sql } from 'drizzle-orm/sql'

// Ids stay exact in JavaScript until the year 2109.
const idsPerMs = 2048

/**
 * SQL for the ids of new rows. They consist of the time and chance, so that organisations from
 * several databases can come together in one, and are greater than all ids in the table.
 */
export function newId(table: 'audit_log' | 'imports'): SQL {
  const id = Date.now() * idsPerMs + Math.floor(Math.random() * idsPerMs)
  return sql.raw(`(SELECT max(coalesce(max(id), 0), ${id}) FROM ${table}) + row_number() OVER ()`)
}
