import { type SQL, sql } from 'drizzle-orm/sql'

// Ids stay exact in JavaScript until the year 2109.
const idsPerMs = 2048

/** Large enough that two databases hardly choose the same number, and small enough that the clock catches up: 16 ms on average. */
const maxStep = 2 ** 16

/**
 * SQL for the ids of new rows. They consist of the time and chance, so that organisations from
 * several databases can come together in one, and are greater than all ids in the table. If the clock was
 * ahead, the last id is greater than the time, in several databases perhaps the same: a step of random size
 * follows it.
 */
export function newId(table: 'audit_log' | 'imports'): SQL {
  const id = Date.now() * idsPerMs + randomBelow(idsPerMs)
  return sql.raw(`(SELECT iif(last >= ${id}, last + ${randomBelow(maxStep)}, ${id})
    FROM (SELECT max(id) AS last FROM ${table})) + row_number() OVER ()`)
}

const randomBelow = (limit: number) => Math.floor(Math.random() * limit)
