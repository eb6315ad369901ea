import { sql } from 'drizzle-orm/sql'
import type { DatabaseName, RecordDatabases } from '../platform/bindings.ts'
import { openDatabase } from './databases.ts'
import { ofOrganisation } from './fragments.ts'
import { newId } from './new-id.ts'
import { statement } from './statement.ts'

const maxEntries = 1000

type ForwardedEntry = { database: DatabaseName; id: number }

/**
 * Moves at most 1,000 audit entries from `DB` to the databases of their organisations, all or one, and returns
 * their number. `DB` has the memberships, so a sign-in or a change of a membership is written there together
 * with its entry.
 */
export async function forwardAuditEntries(
  env: RecordDatabases,
  organisationId?: string,
): Promise<number> {
  const filter =
    organisationId === undefined ? sql`` : sql`AND ${ofOrganisation({ organisationId })}`
  const query = sql`SELECT organisations.database, audit_log.*
    FROM organisations CROSS JOIN audit_log ON organisation_id = organisations.id
    WHERE organisations.database IS NOT NULL ${filter} LIMIT ${maxEntries}`
  const { results } = await statement(env.DB, query).all<ForwardedEntry>()
  let forwardedCount = 0
  for (const [name, entries] of Map.groupBy(results, ({ database }) => database)) {
    const forwarded = await forwardTo(openDatabase(env, name), entries)
    forwardedCount += forwarded.length
    const ids = JSON.stringify(forwarded)
    const remove = sql`DELETE FROM audit_log WHERE id IN (SELECT value FROM json_each(${ids}))`
    await statement(env.DB, remove).run()
  }
  return forwardedCount
}

/**
 * Adds entries to the database of their organisations, and returns the ids of the entries that are there now. An
 * organisation that is moving gets its entries later.
 */
async function forwardTo(d1: D1Database, entries: readonly ForwardedEntry[]): Promise<number[]> {
  const value = (name: string) => sql`entry.value ->> ${sql.raw(`'$.${name}'`)}`
  const isSettled = sql`${value('organisation_id')} IN (
    SELECT id FROM organisations WHERE database IS NULL AND moving_to IS NULL
  )`
  // Both databases number their entries, so the id may belong to another entry here.
  const isTaken = sql`EXISTS (SELECT 1 FROM audit_log AS other WHERE other.id = ${value('id')})`
  // An interrupted run has added it before, with this id or a later one.
  const isThere = sql`EXISTS (
    SELECT 1 FROM audit_log AS same WHERE same.id >= ${value('id')}
      AND same.organisation_id = ${value('organisation_id')} AND same.at = ${value('at')}
      AND same.action = ${value('action')} AND same.target = ${value('target')}
  )`
  const from = sql`FROM json_each(${JSON.stringify(entries)}) AS entry WHERE ${isSettled}`
  const [, settled] = await d1.batch<{ id: number }>([
    statement(
      d1,
      sql`INSERT INTO audit_log (id, organisation_id, at, actor, action, target, record)
          SELECT iif(${isTaken}, ${newId('audit_log')}, ${value('id')}), ${value('organisation_id')},
            ${value('at')}, ${value('actor')}, ${value('action')}, ${value('target')},
            ${value('record')}
          ${from} AND NOT ${isThere}`,
    ),
    statement(d1, sql`SELECT ${value('id')} AS id ${from}`),
  ])
  return settled?.results.map(({ id }) => id) ?? []
}
