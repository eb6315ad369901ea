import { type SQL, sql } from 'drizzle-orm/sql'
import type { DatabaseName } from '../../platform/bindings.ts'
import { movingMessage } from '../../platform/outage.ts'
import type { OrganisationTable } from '../../store/organisation-tables.ts'
import { statement } from '../../store/statement.ts'
import type { DatabaseTables } from './database-tables.ts'

const operations = ['INSERT', 'UPDATE', 'DELETE'] as const

const abort = `raise(ABORT, '${movingMessage}')`
const ignore = 'raise(IGNORE)'

/**
 * What a frozen organisation's triggers do instead of refusing the write. Clean-ups and counts of usage change rows of
 * several organisations at once: `ignore` leaves out the rows of the frozen one without failing the others. It
 * also keeps the pages that save their counts readable. A first sign-in, which completes a membership without changing
 * its role, is allowed.
 */
const otherActions: Record<string, string> = {
  'DELETE idempotency_keys': ignore,
  'INSERT key_usage': ignore,
  'UPDATE key_usage': ignore,
  'DELETE key_usage': ignore,
  'INSERT duplicate_checks': ignore,
  'INSERT known_details': ignore,
  'DELETE known_details': ignore,
  'UPDATE memberships': `iif(NEW.role = OLD.role AND NEW.registers_only = OLD.registers_only
    AND NEW.hides_contacts = OLD.hides_contacts, NULL, ${abort})`,
  'UPDATE api_keys': `iif(NEW.last_used IS OLD.last_used, ${abort}, ${ignore})`,
}

/**
 * Freezes an organisation while it moves from this database to another: triggers stop each write of
 * its rows.
 */
export async function freeze(
  d1: D1Database,
  { moved, organisations }: DatabaseTables,
  id: string,
  target: DatabaseName,
): Promise<void> {
  const triggers = [
    ...operations.flatMap((operation) => moved.map((table) => createTrigger(operation, table, id))),
    // The schedule measures organisations.
    createTrigger(`UPDATE OF ${organisations.columns}`, organisations, id),
  ]
  await runBatch(d1, [
    sql`UPDATE organisations SET moving_to = ${target} WHERE id = ${id}`,
    ...triggers,
  ])
}

/**
 * SQL that keeps expired idempotency keys in the copy of an organisation, which requests of
 * any organisation would delete: a copy must equal its original.
 */
export const keepIdempotencyKeys = (id: string): SQL =>
  createTrigger('DELETE', { name: 'idempotency_keys' }, id)

/**
 * SQL that refuses changes of an organisation's memberships while it moves to `DB`: their audit
 * entries would come between the copied ones.
 */
export const freezeMemberships = (id: string): SQL[] =>
  operations.map((operation) => createTrigger(operation, { name: 'memberships' }, id))

/** The statements that remove an organisation's triggers from a database. */
export async function unfreezeStatements(d1: D1Database, id: string): Promise<SQL[]> {
  const prefix = triggerPrefix(id)
  const { results } = await d1
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'trigger' AND substr(name, 1, ?) = ?`)
    .bind(prefix.length, prefix)
    .all<{ name: string }>()
  return results.map(({ name }) => sql`DROP TRIGGER IF EXISTS ${sql.identifier(name)}`)
}

/** The beginning of the names of an organisation's triggers. No id contains a space. */
const triggerPrefix = (id: string) => `moving ${id} `

/** Runs statements as one transaction. */
export const runBatch = (d1: D1Database, statements: readonly SQL[]) =>
  d1.batch(statements.map((query) => statement(d1, query)))

/** SQL for the trigger that stops an operation on an organisation's rows in a table. Triggers have no parameters. */
function createTrigger(
  operation: string,
  { name, owner = 'organisation_id', parent }: Omit<OrganisationTable, 'key'>,
  id: string,
): SQL {
  const row = operation === 'INSERT' ? 'NEW' : 'OLD'
  const literal = `'${id.replaceAll("'", "''")}'`
  const condition = parent
    ? `${row}.${owner} IN (SELECT id FROM ${parent} WHERE organisation_id = ${literal})`
    : `${row}.${owner} = ${literal}`
  return sql.raw(`CREATE TRIGGER "${triggerPrefix(id)}${name} ${operation}" BEFORE ${operation} ON ${name}
    WHEN ${condition} BEGIN SELECT ${otherActions[`${operation} ${name}`] ?? abort}; END`)
}
