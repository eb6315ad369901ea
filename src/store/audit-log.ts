import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import type { Author } from '../model/author.ts'
import { withTimeout } from '../platform/timeout.ts'
import { statement } from './sql/statement.ts'
import { audit } from './sql/tables.ts'

/** Who did what to which key, user, field or record of an organisation. */
export type AuditEntry = {
  organisationId: string
  actor: string | SQL
  act: string
  target: string | SQL
}

/** An act as the trail shows it. */
export type ListedAuditEntry = { at: string; actor: string; act: string; target: string }

/** The statement that records an act, for the batch that does it; with a condition, only if that holds then. */
export const insertAuditEntry = (
  db: DrizzleD1Database,
  act: AuditEntry,
  condition: SQL = sql`true`,
) => db.insert(audit).select(rowOf(act, condition))

/** The same for a batch of statements of our own. */
export const auditStatement = (
  d1: D1Database,
  act: AuditEntry,
  condition: SQL,
): D1PreparedStatement =>
  statement(
    d1,
    sql`INSERT INTO audit (id, organisation_id, at, actor, act, target) ${rowOf(act, condition)}`,
  )

/** An author as the trail names them; a key, by what it is called. */
export const actorOf = (author: Author): string | SQL =>
  author.by === 'key'
    ? sql`(SELECT name || ' (' || prefix || '…)' FROM api_keys WHERE id = ${author.id})`
    : author.by === 'person'
      ? author.name
      : author.by

const rowOf = ({ organisationId, actor, act, target }: AuditEntry, condition: SQL) =>
  sql`SELECT NULL, ${organisationId}, ${new Date().toISOString()}, ${actor}, ${act}, ${target}
    WHERE ${condition}`

/** The latest acts in an organisation, newest first. */
export function listAudit(d1: D1Database, organisationId: string): Promise<ListedAuditEntry[]> {
  return withTimeout(
    drizzle(d1)
      .select({ at: audit.at, actor: audit.actor, act: audit.act, target: audit.target })
      .from(audit)
      .where(eq(audit.organisationId, organisationId))
      .orderBy(desc(audit.id))
      .limit(50),
  )
}
