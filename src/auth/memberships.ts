import { and, asc, eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { memberships } from '../store/access-tables.ts'
import { insertAuditEntry } from '../store/audit-log.ts'
import { statement } from '../store/statement.ts'
import { isEmailAddress, normaliseSignInEmail } from './address.ts'
import type { Person } from './token.ts'

/** The roles in an organisation: readers read records, editors also write them, administrators also manage keys and people; stewards only take the registers of events. */
export const roles = [...memberships.role.enumValues, 'steward'] as const

export type Role = (typeof roles)[number]

/** The columns that store a role. */
export const roleColumns = (role: Role) =>
  role === 'steward' ? { role: 'reader' as const, registersOnly: 1 } : { role, registersOnly: 0 }

/** SQL for the role in the columns. */
export const storedRole = () =>
  sql<Role>`iif(${memberships.registersOnly}, 'steward', ${memberships.role})`

/** Adds a user to an organisation or changes their role. Returns false if the address is invalid. */
export async function addUser(
  d1: D1Database,
  { organisationId, email, role, by }: Membership & { role: Role; by: string },
): Promise<boolean> {
  if (!isEmailAddress(email)) return false
  const db = drizzle(d1)
  await db.batch([
    db
      .insert(memberships)
      .values({
        organisationId,
        email: normaliseSignInEmail(email),
        ...roleColumns(role),
        created: now(),
      })
      .onConflictDoUpdate({
        target: [memberships.organisationId, memberships.email],
        set: roleColumns(role),
      }),
    insertAuditEntry(db, {
      organisationId,
      actor: by,
      action: 'user.added',
      detail: role,
      target: email,
    }),
  ])
  return true
}

/** Lists the users of one or all organisations by address; `bound` users have signed in once. */
export function listUsers(d1: D1Database, organisationId?: string) {
  return drizzle(d1)
    .select({
      organisationId: memberships.organisationId,
      email: memberships.email,
      role: storedRole(),
      created: memberships.created,
      bound: sql<number>`${memberships.subject} IS NOT NULL`.mapWith(Boolean),
    })
    .from(memberships)
    .where(organisationId ? eq(memberships.organisationId, organisationId) : undefined)
    .orderBy(asc(memberships.organisationId), asc(memberships.email))
}

/** Removes a user from an organisation with effect from the next request. Returns false for an unknown user. */
export async function removeUser(
  d1: D1Database,
  { organisationId, email, by }: Membership & { by: string },
): Promise<boolean> {
  const db = drizzle(d1)
  const isUser = and(
    eq(memberships.organisationId, organisationId),
    eq(memberships.email, normaliseSignInEmail(email)),
  )
  const [, deletedRows] = await db.batch([
    insertAuditEntry(
      db,
      { organisationId, actor: by, action: 'user.removed', target: email },
      sql`EXISTS (
      SELECT 1 FROM memberships WHERE ${isUser})`,
    ),
    db.delete(memberships).where(isUser).returning({ email: memberships.email }),
  ])
  return deletedRows.length > 0
}

/** Links a person to the memberships of their verified address. Returns whether to check again: a concurrent request may have linked them too. */
export async function claimMemberships(d1: D1Database, person: Person): Promise<boolean> {
  const { issuer, subject, email } = person
  if (email === undefined) return false
  const query = sql`UPDATE memberships SET issuer = ${issuer}, subject = ${subject}
    WHERE email = ${email} AND subject IS NULL AND NOT EXISTS (
      SELECT 1 FROM memberships AS own WHERE own.issuer = ${issuer} AND own.subject = ${subject}
        AND own.organisation_id = memberships.organisation_id
    )`
  await statement(d1, query).run()
  return true
}

type Membership = { organisationId: string; email: string }

const now = () => new Date().toISOString()
