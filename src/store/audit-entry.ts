import { type SQL, sql } from 'drizzle-orm/sql'
import { type AuditAction, describeAction } from '../model/audit-actions.ts'
import type { Author } from '../model/author.ts'
import { newId } from './new-id.ts'

/** An action of a person, a key or the service in an organisation, such as revoking a key. */
export type AuditEntry = AuditAction & {
  organisationId: string | SQL
  actor: string | SQL
  target: string | SQL
  /** The record that the entry is about. */
  record?: { collection: string; id: string }
}

/** SQL that adds one entry. It belongs in the transaction of the action. */
export const auditInsert = (entry: AuditEntry): SQL => auditInserts(entry, sql``)

/** SQL that adds an entry for each row of `source`, a FROM or WHERE clause. The entry's SQL may use its columns. */
export const auditInserts = (
  { organisationId, actor, target, record, ...action }: AuditEntry,
  source: SQL,
): SQL =>
  sql`INSERT INTO audit_log (id, organisation_id, at, actor, action, target, record)
    SELECT ${newId('audit_log')}, ${organisationId}, ${new Date().toISOString()}, ${actor},
    ${describeAction(action)}, ${target},
    ${record ? JSON.stringify([record.collection, record.id]) : null} ${source}`

/** An author's name for the audit log. A key appears with its name at the time. */
export function nameActor(author: Author): string | SQL {
  if (author.by === 'person') return author.name
  if (author.by !== 'key') return author.by
  return sql`(SELECT name || ' (' || prefix || '…)' FROM api_keys WHERE id = ${author.id})`
}
