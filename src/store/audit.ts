import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import { inTime } from '../platform/in-time.ts'
import { audit } from './tables.ts'

/** Who did what to which key, user or field of an organisation. */
export type Act = { organisationId: string; actor: string; act: string; target: string | SQL }

/** An act as the trail shows it. */
export type AuditRecord = { at: string; actor: string; act: string; target: string }

/** The statement that records an act, for the batch that does it; with a condition, only if that holds then. */
export function audited(db: DrizzleD1Database, act: Act, condition: SQL = sql`true`) {
  const { organisationId, actor, act: done, target } = act
  return db.insert(audit).select(
    sql`SELECT NULL, ${organisationId}, ${new Date().toISOString()}, ${actor}, ${done}, ${target}
      WHERE ${condition}`,
  )
}

/** The latest acts on an organisation's keys, users and fields, newest first. */
export function listAudit(d1: D1Database, organisationId: string): Promise<AuditRecord[]> {
  return inTime(
    drizzle(d1)
      .select({ at: audit.at, actor: audit.actor, act: audit.act, target: audit.target })
      .from(audit)
      .where(eq(audit.organisationId, organisationId))
      .orderBy(desc(audit.id))
      .limit(50),
  )
}
