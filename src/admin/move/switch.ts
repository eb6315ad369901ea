import { sql } from 'drizzle-orm/sql'
import type { DatabaseName, RecordDatabases } from '../../platform/bindings.ts'
import type { Database } from '../../store/databases.ts'
import { forwardAuditEntries } from '../../store/forward-audit.ts'
import { maskKeys, unmaskKeys } from './copy.ts'
import { deleteRows } from './delete-rows.ts'
import { freezeMemberships, keepIdempotencyKeys, runBatch, unfreezeStatements } from './freeze.ts'

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
      // From now on no sign-in is noted. The copy itself starts with the target's own name, below.
      sql`UPDATE organisations SET moving_to = ${source.name} WHERE id = ${organisationId}`,
    ])
    while ((await forwardAuditEntries(env, organisationId)) > 0);
  }
  const row = await source.d1
    .prepare('SELECT name, created FROM organisations WHERE id = ?')
    .bind(organisationId)
    .first<{ name: string; created: string }>()
  // An earlier copy may be incomplete anywhere.
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
export async function unfreeze(d1: D1Database, organisationId: string): Promise<void> {
  await runBatch(d1, [
    ...(await unfreezeStatements(d1, organisationId)),
    sql`UPDATE organisations SET moving_to = NULL WHERE id = ${organisationId}`,
  ])
}

/** Ends an organisation's time in the source. From now on the source only names the target. */
export async function leave(
  source: D1Database,
  target: DatabaseName,
  organisationId: string,
): Promise<void> {
  await runBatch(source, [
    ...(await unfreezeStatements(source, organisationId)),
    sql`UPDATE organisations SET database = ${target}, moving_to = NULL
      WHERE id = ${organisationId}`,
    maskKeys(organisationId),
  ])
}

/** Starts an organisation's time in the target. A size that the target measured before is not that of the organisation. */
export async function arrive(target: D1Database, organisationId: string): Promise<void> {
  await runBatch(target, [
    ...(await unfreezeStatements(target, organisationId)),
    sql`UPDATE organisations SET database = NULL, moving_to = NULL,
        records = 0, document_bytes = 0, measured = '', measuring = NULL
      WHERE id = ${organisationId}`,
    unmaskKeys(organisationId),
  ])
}

/** Names the database that has an organisation in another one. */
export async function noteHome(
  d1: D1Database,
  home: DatabaseName,
  organisationId: string,
): Promise<void> {
  await runBatch(d1, [
    ...(await unfreezeStatements(d1, organisationId)),
    sql`UPDATE organisations SET database = ${home}, moving_to = NULL WHERE id = ${organisationId}`,
  ])
}
