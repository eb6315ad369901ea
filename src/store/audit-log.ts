import { type SQL, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { hasPermissions } from '../access/credential.ts'
import { assistantPermissions } from '../access/permissions.ts'
import type { Author } from '../model/author.ts'
import { collectionTitle } from '../model/collection.ts'
import { type Kind, kinds } from '../model/properties/schema.ts'
import { withTimeout } from '../platform/timeout.ts'
import { auditLog } from './access-tables.ts'
import { newId } from './new-id.ts'
import { statement } from './statement.ts'
import type { Store } from './store.ts'

/** An administrative action on a key, user, field or record of an organisation. */
export type AuditEntry = {
  organisationId: string
  actor: string | SQL
  action: string
  target: string | SQL
}

/**
 * Returns the query that adds an entry, for the batch of the action itself. Adds nothing unless
 * `condition` holds.
 */
export const insertAuditEntry = (
  db: DrizzleD1Database,
  entry: AuditEntry,
  condition: SQL = sql`true`,
) => db.insert(auditLog).select(selectEntry(entry, condition))

/** Returns the query of `insertAuditEntry` as SQL. */
export const auditInsert = (entry: AuditEntry, condition: SQL): SQL =>
  auditInserts(entry, sql`WHERE ${condition}`)

/** Returns SQL that adds an entry for each row of `source`, which begins with FROM. The entry may name its columns. */
export const auditInserts = (entry: EntryColumns, source: SQL): SQL =>
  sql`INSERT INTO audit_log (id, organisation_id, at, actor, action, target) ${selectEntries(entry, source)}`

/** Returns an author's name for the audit log. A key appears with its name at the time. */
export const actorOf = (author: Author): string | SQL =>
  author.by === 'key'
    ? sql`(SELECT name || ' (' || prefix || '…)' FROM api_keys WHERE id = ${author.id})`
    : author.by === 'person'
      ? author.name
      : author.by

const selectEntry = (entry: AuditEntry, condition: SQL) =>
  selectEntries(entry, sql`WHERE ${condition}`)

type EntryColumns = Omit<AuditEntry, 'organisationId'> & { organisationId: string | SQL }

const selectEntries = ({ organisationId, actor, action, target }: EntryColumns, source: SQL) =>
  sql`SELECT ${newId('audit_log')}, ${organisationId}, ${new Date().toISOString()}, ${actor}, ${action}, ${target}
    ${source}`

/** Adds the export of a person's data to the audit log and returns the organisation's name. */
export async function recordExport(store: Store, kind: Kind, id: string): Promise<string> {
  const { organisationId, credential } = store
  const entry = {
    ...{ organisationId, actor: actorOf(credential.author) },
    ...{ action: `exported ${kinds[kind].singular}`, target: id },
  }
  const { head } = await store.transact(
    { permissions: ['read'], collection: kind },
    { name: sql`(SELECT name FROM organisations WHERE id = ${organisationId})` },
    [auditInsert(entry, hasPermissions(credential, ['read']))],
  )
  return String(head.name)
}

/** Adds a person's sign-in to the dashboard to the audit log of each of their organisations that is not being moved. */
export async function recordSignIn(
  d1: D1Database,
  { issuer, subject }: { issuer: string; subject: string },
  name: string,
): Promise<void> {
  const query = sql`INSERT INTO audit_log (id, organisation_id, at, actor, action, target)
    SELECT ${newId('audit_log')}, organisation_id, ${new Date().toISOString()}, ${name}, 'signed in', email
    FROM memberships CROSS JOIN organisations ON organisations.id = organisation_id
      AND moving_to IS NULL
    WHERE issuer = ${issuer} AND subject = ${subject}`
  await withTimeout(statement(d1, query).run())
}

/** Adds the download of a list to the audit log. */
export async function recordDownload(
  store: Store,
  collection: string,
  format: 'CSV' | 'Excel',
): Promise<void> {
  const { organisationId, credential } = store
  const entry = {
    ...{ organisationId, actor: actorOf(credential.author) },
    ...{ action: `downloaded ${collectionTitle(collection)}`, target: format },
  }
  await store.transact({ permissions: ['read'], collection }, {}, [
    auditInsert(entry, hasPermissions(credential, ['read'])),
  ])
}

/** Adds the call of a tool by an assistant to the audit log, without its input. Throws 403 unless the key is an assistant's. */
export async function recordAssistantCall(
  store: Store,
  tool: string,
  target: string,
): Promise<void> {
  const { organisationId, credential } = store
  const entry = {
    ...{ organisationId, actor: actorOf(credential.author) },
    ...{ action: `assistant: ${tool}`, target },
  }
  const guard = { permissions: assistantPermissions }
  await store.transact(guard, {}, [
    auditInsert(entry, hasPermissions(credential, assistantPermissions)),
  ])
}
