import { sql } from 'drizzle-orm/sql'
import type { DatabaseName, RecordDatabases } from '../platform/bindings.ts'
import { withTimeout } from '../platform/timeout.ts'
import { openDatabase } from './databases.ts'
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
  const filter = organisationId === undefined ? sql`` : sql`AND organisation_id = ${organisationId}`
  const query = sql`SELECT organisations.database, audit_log.*
    FROM organisations CROSS JOIN audit_log ON organisation_id = organisations.id
    WHERE organisations.database IS NOT NULL ${filter} LIMIT ${maxEntries}`
  const { results } = await withTimeout(statement(env.DB, query).all<ForwardedEntry>())
  let forwardedCount = 0
  for (const [name, entries] of Map.groupBy(results, ({ database }) => database)) {
    // An entry that is there already was forwarded by an interrupted run. An organisation that is moving gets its
    // entries later.
    const forwarded = await withTimeout(
      statement(
        openDatabase(env, name),
        sql`INSERT INTO audit_log (id, organisation_id, at, actor, action, target)
          SELECT value ->> '$.id', value ->> '$.organisation_id', value ->> '$.at', value ->> '$.actor',
            value ->> '$.action', value ->> '$.target'
          FROM json_each(${JSON.stringify(entries)})
          WHERE value ->> '$.organisation_id' IN (
            SELECT id FROM organisations WHERE database IS NULL AND moving_to IS NULL
          )
          ON CONFLICT DO UPDATE SET at = excluded.at
          RETURNING id`,
      ).all<{ id: number }>(),
    )
    forwardedCount += forwarded.results.length
    const ids = JSON.stringify(forwarded.results.map(({ id }) => id))
    const remove = sql`DELETE FROM audit_log WHERE id IN (SELECT value FROM json_each(${ids}))`
    await withTimeout(statement(env.DB, remove).run())
  }
  return forwardedCount
}
