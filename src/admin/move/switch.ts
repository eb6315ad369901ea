import { type SQL, sql } from 'drizzle-orm/sql'
import type { DatabaseName, RecordDatabases } from '../../platform/bindings.ts'
import type { Database } from '../../store/databases.ts'
import { forwardAuditEntries } from '../../store/forward-audit.ts'
import { maskKeys, unmaskKeys } from './copy.ts'
import { deleteRows } from './delete-rows.ts'
import { freezeMemberships, keepIdempotencyKeys, runBatch, unfreezeStatements } from './freeze.ts'

/*
 * The row of an organisation in each database says where the organisation is. A move from `DB` to `DB_1` changes it so:
 *
 *              in DB                                in DB_1
 *   before     database NULL                        no row
 *   copying    database NULL,   moving_to 'DB_1'    database 'DB', moving_to 'DB_1'
 *   `leave`    database 'DB_1'                      the same
 *   `arrive`   database 'DB_1'                      database NULL
 *
 * NULL is here. During the copying, triggers refuse each write of the organisation (see freeze.ts). Each step is one
 * transaction in one database, so an interrupted move can continue from any of them.
 */

/** Makes an empty copy of an organisation in the target. Its row says that it is unfinished. */
export async function startCopy(
  env: RecordDatabases,
  source: Database,
  { name: targetName, d1: target }: Database,
  organisationId: string,
): Promise<void> {
  const memberships = targetName === 'DB' ? freezeMemberships(organisationId) : []
  if (targetName === 'DB') {
    await runBatch(target, [
      ...(await unfreezeStatements(target, organisationId)),
      ...memberships,
      // No sign-in is noted after this statement. The copy itself starts with the target's own name, below.
      sql`UPDATE organisations SET moving_to = ${source.name} WHERE id = ${organisationId}`,
    ])
    while ((await forwardAuditEntries(env, organisationId)) > 0);
  }
  const row = await source.d1
    .prepare('SELECT name, created FROM organisations WHERE id = ?')
    .bind(organisationId)
    .first<{ name: string; created: string }>()
  // A part of an earlier copy may be left.
  await deleteRows(target, organisationId, () => {})
  await runBatch(target, [
    ...(await unfreezeStatements(target, organisationId)),
    sql`INSERT INTO organisations (id, name, created, database, moving_to)
      VALUES (${organisationId}, ${row?.name}, ${row?.created}, ${source.name}, ${targetName})
      ON CONFLICT (id) DO UPDATE SET database = excluded.database, moving_to = excluded.moving_to`,
    keepIdempotencyKeys(organisationId),
    ...memberships,
  ])
}

/** Lets an organisation that was being moved stay in its database. */
export const unfreeze = (d1: D1Database, organisationId: string): Promise<void> =>
  endMove(d1, organisationId, [sql`moving_to = NULL`])

/** Hands an organisation over: afterwards, the source only names the target, and its keys stop working there. */
export const leave = (
  source: D1Database,
  target: DatabaseName,
  organisationId: string,
): Promise<void> => endMove(source, organisationId, nameHome(target), [maskKeys(organisationId)])

/** Opens an organisation in the target. Its keys work there, and its size has to be measured again. */
export const arrive = (target: D1Database, organisationId: string): Promise<void> =>
  endMove(
    target,
    organisationId,
    [...nameHome(null), sql`records = 0, document_bytes = 0, measured = '', measuring = NULL`],
    [unmaskKeys(organisationId)],
  )

/** Stores in a database that another one has the organisation. */
export const noteHome = (
  d1: D1Database,
  home: DatabaseName,
  organisationId: string,
): Promise<void> => endMove(d1, organisationId, nameHome(home))

const nameHome = (home: DatabaseName | null) => [sql`database = ${home}`, sql`moving_to = NULL`]

/** Changes an organisation's row in a database and removes its triggers, in one transaction. */
async function endMove(
  d1: D1Database,
  organisationId: string,
  assignments: readonly SQL[],
  statements: readonly SQL[] = [],
): Promise<void> {
  await runBatch(d1, [
    ...(await unfreezeStatements(d1, organisationId)),
    sql`UPDATE organisations SET ${sql.join([...assignments], sql`, `)} WHERE id = ${organisationId}`,
    ...statements,
  ])
}
