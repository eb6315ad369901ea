import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { withTimeout } from '../platform/timeout.ts'
import { insertAuditEntry } from '../store/audit-log.ts'
import { memberships } from '../store/sql/tables.ts'
import { isEmailAddress, normaliseEmail } from './address.ts'
import type { Person } from './token.ts'

/** What a person may do in an organisation: a reader reads its records, an editor writes them too, and an administrator also manages its keys and people. */
export const roles = ['reader', 'editor', 'admin'] as const

export type Role = (typeof roles)[number]

/** SQL for the role of a membership. */
export const roleColumn = sql<Role>`iif(${memberships.role} = 'admin', 'admin', iif(${memberships.edits}, 'editor', 'reader'))`

/** A role as it is kept. */
export const storedRole = (role: Role) => ({
  role: role === 'admin' ? ('admin' as const) : ('member' as const),
  edits: role === 'editor',
})

/** Lets the person with this address use an organisation's data, or changes the role of one who does; false when the address is not one in ASCII. */
export async function addUser(
  d1: D1Database,
  { organisationId, email, role, by }: Membership & { role: Role; by: string },
): Promise<boolean> {
  if (!isEmailAddress(email)) return false
  const db = drizzle(d1)
  await db.batch([
    db
      .insert(memberships)
      .values({ organisationId, email: normaliseEmail(email), ...storedRole(role), created: now() })
      .onConflictDoUpdate({
        target: [memberships.organisationId, memberships.email],
        set: storedRole(role),
      }),
    insertAuditEntry(db, {
      organisationId,
      actor: by,
      act: `added user as ${role}`,
      target: email,
    }),
  ])
  return true
}

/** The users of an organisation, or of all, by address; `bound` once they have come. */
export function listUsers(d1: D1Database, organisationId?: string) {
  return drizzle(d1)
    .select({
      organisationId: memberships.organisationId,
      email: memberships.email,
      role: roleColumn,
      created: memberships.created,
      bound: sql<number>`${memberships.subject} IS NOT NULL`.mapWith(Boolean),
    })
    .from(memberships)
    .where(organisationId ? eq(memberships.organisationId, organisationId) : undefined)
    .orderBy(asc(memberships.organisationId), asc(memberships.email))
}

/** Shuts a person out of an organisation from the next request on; false when they are not in it. */
export async function removeUser(
  d1: D1Database,
  { organisationId, email, by }: Membership & { by: string },
): Promise<boolean> {
  const db = drizzle(d1)
  const isUser = and(
    eq(memberships.organisationId, organisationId),
    eq(memberships.email, normaliseEmail(email)),
  )
  const [, deletedRows] = await db.batch([
    insertAuditEntry(
      db,
      { organisationId, actor: by, act: 'removed user', target: email },
      sql`EXISTS (
      SELECT 1 FROM memberships WHERE ${isUser})`,
    ),
    db.delete(memberships).where(isUser).returning({ email: memberships.email }),
  ])
  return deletedRows.length > 0
}

/** Binds a person to the organisations their verified address was added to; tells whether they may have come to belong to some, by this or by another request of theirs at the same time. */
export async function claimMemberships(d1: D1Database, person: Person): Promise<boolean> {
  const { issuer, subject, email } = person
  if (email === undefined) return false
  await withTimeout(
    drizzle(d1)
      .update(memberships)
      .set({ issuer, subject })
      .where(
        and(
          eq(memberships.email, email),
          isNull(memberships.subject),
          sql`NOT EXISTS (SELECT 1 FROM memberships AS own WHERE own.issuer = ${issuer}
            AND own.subject = ${subject} AND own.organisation_id = memberships.organisation_id)`,
        ),
      ),
  )
  return true
}

type Membership = { organisationId: string; email: string }

const now = () => new Date().toISOString()
