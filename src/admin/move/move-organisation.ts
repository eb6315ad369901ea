import { sql } from 'drizzle-orm/sql'
import { type KeyHint, writeHint } from '../../auth/key-hint.ts'
import type { RecordDatabases } from '../../platform/bindings.ts'
import type { Database } from '../../store/databases.ts'
import { forwardAuditEntries } from '../../store/forward-audit.ts'
import { ofOrganisation } from '../../store/fragments.ts'
import { organisationTables } from '../../store/organisation-tables.ts'
import { statement } from '../../store/statement.ts'
import { requireMovable } from './check-move.ts'
import { compareIndex, compareTable } from './compare.ts'
import { copiedExpressions, copyState, copyTable } from './copy.ts'
import { deleteRows } from './delete-rows.ts'
import { freeze } from './freeze.ts'
import { findHome, findLocations, type OrganisationLocation, requireDatabase } from './locations.ts'
import { countRows } from './read-rows.ts'
import { arrive, leave, noteHome, startCopy, unfreeze } from './switch.ts'

/** A part of a move that takes long. */
type Phase = 'Copying' | 'Comparing' | 'Deleting'

/** Reports how much of a phase is done, in rows. */
export type OnProgress = (phase: Phase, done: number, total: number) => void

const maxHints = 20

// `DB` may have new entries about memberships: they follow the organisation.
const tablesWithoutAuditLog = organisationTables.filter(({ name }) => name !== 'audit_log')

/**
 * Moves an organisation to another database. During the move it can be read, and writes get 503. An interrupted
 * move continues when it is repeated. Moving an organisation to the database where it is ends an unfinished
 * move, and with `discardsOthers` deletes it in any other database that has it too. Throws 404 for an unknown
 * organisation or database, and 409 if the organisation cannot be moved now or its copy differs.
 */
export async function moveOrganisation(
  env: RecordDatabases & { KEYS: KVNamespace },
  organisationId: string,
  targetName: string,
  onProgress: OnProgress,
  discardsOthers = false,
): Promise<void> {
  const target = requireDatabase(env, targetName)
  const home = await findHome(env, organisationId, discardsOthers ? target.name : undefined)
  if (home.name !== targetName)
    await copyOrganisation(env, home, target, organisationId, onProgress)
  else if (home.movingTo !== null) await unfreeze(home.d1, organisationId)
  const others = (await findLocations(env, organisationId)).filter(
    ({ name }) => name !== target.name,
  )
  for (const { d1 } of others) await noteHome(d1, target.name, organisationId)
  for (const { d1 } of others)
    await deleteRows(
      d1,
      organisationId,
      (done, total) => onProgress('Deleting', done, total),
      d1 === env.DB ? tablesWithoutAuditLog : organisationTables,
    )
  while ((await forwardAuditEntries(env, organisationId)) > 0);
  await refreshHints(env.KEYS, target, organisationId)
}

/** Copies an organisation to the target, compares the copy and lets the target have the organisation. */
async function copyOrganisation(
  env: RecordDatabases,
  home: OrganisationLocation,
  target: Database,
  organisationId: string,
  onProgress: OnProgress,
): Promise<void> {
  const tables = await requireMovable(home, target, organisationId)
  const pair = [home.d1, target.d1] as const
  const locations = await findLocations(env, organisationId)
  const isStarted = locations.some(
    ({ name, database, movingTo }) =>
      name === target.name && movingTo === name && database === home.name,
  )
  if (!isStarted) await startCopy(env, home, target, organisationId)
  if (home.movingTo === null) await freeze(home.d1, tables, organisationId, target.name)

  const countAll = async (d1: D1Database) => {
    const counts = await Promise.all(
      tables.moved.map((table) => countRows(d1, table, organisationId)),
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }
  const total = await countAll(home.d1)
  const counter = (phase: Phase, initial: number) => {
    let done = initial
    onProgress(phase, done, total)
    return (count: number) => {
      done += count
      onProgress(phase, done, total)
    }
  }

  const onCopied = counter('Copying', await countAll(target.d1))
  for (const table of tables.moved) await copyTable(pair, table, organisationId, onCopied)
  await copyState(pair, tables, organisationId)

  const onCompared = counter('Comparing', 0)
  for (const table of tables.compared) {
    const expressions = copiedExpressions(table.name)
    await compareTable(pair, table, organisationId, expressions, onCompared)
  }
  await compareIndex(pair, organisationId)

  await leave(home.d1, target.name, organisationId)
  await arrive(target.d1, organisationId)
}

/** Lets requests with the organisation's keys start in the right database. */
async function refreshHints(
  kv: KVNamespace,
  { name, d1 }: Database,
  organisationId: string,
): Promise<void> {
  const query = sql`SELECT hash, id AS keyId, organisation_id AS organisationId, restrictions
    FROM api_keys WHERE ${ofOrganisation({ organisationId })} AND revoked IS NULL`
  const { results } = await statement(d1, query).all<KeyHint & { hash: string }>()
  for (let start = 0; start < results.length; start += maxHints) {
    const chunk = results.slice(start, start + maxHints)
    await Promise.all(
      chunk.map(({ hash, ...hint }) => writeHint(kv, hash, { ...hint, database: name })),
    )
  }
}
