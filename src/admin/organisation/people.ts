import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import { isEmailAddress, normaliseSignInEmail } from '../../auth/address.ts'
import { listUsers, type Role, roleColumns } from '../../auth/memberships.ts'
import { ApiError, invalidField } from '../../model/api-error.ts'
import type { AuditAction } from '../../model/audit-actions.ts'
import { memberships } from '../../store/access-tables.ts'
import { insertAuditEntry } from '../../store/audit-log.ts'
import { ofOrganisation } from '../../store/fragments.ts'

/** The operations on the people of one organisation. */
export type OrganisationPeople = ReturnType<typeof organisationPeople>

/** The operations on an organisation's people, with `by` as the actor. They never remove the last administrator. */
export const organisationPeople = (d1: D1Database, organisationId: string, by: string) => {
  const db = drizzle(d1)
  const toUser = (address: string): User => ({
    organisationId,
    email: normaliseSignInEmail(address),
    by,
  })
  return {
    list: () => listUsers(d1, organisationId),
    add: (address: string, role: Role) => add(db, toUser(address), role),
    change: (address: string, role: Role) => change(db, toUser(address), role),
    remove: (address: string) => remove(db, toUser(address)),
  }
}

type User = { organisationId: string; email: string; by: string }

/** Adds a person by email address. Throws 400 for an address that is not ASCII, 409 if they already belong to the organisation. */
async function add(db: DrizzleD1Database, user: User, role: Role): Promise<void> {
  const { organisationId, email } = user
  if (!isEmailAddress(email))
    throw invalidField(
      'E-mail',
      'invalid_format',
      'must be an address in ASCII, such as ana@example.org.',
    )
  const isAdded = await runAudited(
    db,
    user,
    { action: 'user.added', detail: role },
    sql`NOT ${membershipExists(matchesUser(user))}`,
    db
      .insert(memberships)
      .values({ organisationId, email, ...roleColumns(role), created: new Date().toISOString() })
      .onConflictDoNothing()
      .returning({ email: memberships.email }),
  )
  if (!isAdded) throw new ApiError('CONFLICT', `${email} belongs to the organisation already.`)
}

/** Changes a person's role. Throws 409 for the last administrator. */
async function change(db: DrizzleD1Database, user: User, role: Role): Promise<void> {
  const where =
    role === 'admin' ? matchesUser(user) : and(matchesUser(user), hasOtherAdministrator(user))
  const isChanged = await runAudited(
    db,
    user,
    { action: 'user.changed', detail: role },
    membershipExists(where),
    db
      .update(memberships)
      .set(roleColumns(role))
      .where(where)
      .returning({ email: memberships.email }),
  )
  if (!isChanged) throw notChangedError()
}

/** Removes a person with effect from their next request. Throws 409 for the last administrator. */
async function remove(db: DrizzleD1Database, user: User): Promise<void> {
  const where = and(matchesUser(user), hasOtherAdministrator(user))
  const isRemoved = await runAudited(
    db,
    user,
    { action: 'user.removed' },
    membershipExists(where),
    db.delete(memberships).where(where).returning({ email: memberships.email }),
  )
  if (!isRemoved) throw notChangedError()
}

/** Changes a person and writes the audit entry in one transaction. Returns whether the person changed. */
async function runAudited(
  db: DrizzleD1Database,
  { organisationId, email, by: actor }: User,
  action: AuditAction,
  condition: SQL,
  statement: Returning,
): Promise<boolean> {
  const auditStatement = insertAuditEntry(
    db,
    { organisationId, actor, ...action, target: email },
    condition,
  )
  const [, rows] = await db.batch([auditStatement, statement])
  return rows.length > 0
}

type Returning = Parameters<DrizzleD1Database['batch']>[0][0] & {
  _: { result: { email: string }[] }
}

const matchesUser = ({ organisationId, email }: User) =>
  and(eq(memberships.organisationId, organisationId), eq(memberships.email, email))

const membershipExists = (where: SQL | undefined) =>
  sql`EXISTS (SELECT 1 FROM memberships WHERE ${where})`

const hasOtherAdministrator = (user: User) =>
  sql`EXISTS (SELECT 1 FROM memberships AS other WHERE ${ofOrganisation(user, 'other')}
    AND other.email <> ${user.email} AND other.role = 'admin')`

const notChangedError = () =>
  new ApiError(
    'CONFLICT',
    'Nothing was changed: this person is gone already, or is the last administrator; make somebody else one first.',
  )
