import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import { ApiError } from '../model/api-error.ts'
import { inTime } from '../platform/in-time.ts'
import { memberships } from '../store/tables.ts'
import { foldAddress, isAddress } from './address.ts'
import { audited, listAudit } from './audit.ts'
import { keptRole, listUsers, type Role } from './memberships.ts'

/** What an administrator can do with the people of one organisation, and of no other. */
export type OrganisationPeople = ReturnType<typeof organisationPeople>

/** The people of one organisation, for `by` to list and change; one of them stays an administrator. */
export const organisationPeople = (d1: D1Database, organisationId: string, by: string) => {
  const db = drizzle(d1)
  const user = (address: string): User => ({ organisationId, email: foldAddress(address), by })
  return {
    list: () => inTime(listUsers(d1, organisationId)),
    audit: () => listAudit(d1, organisationId),
    add: (address: string, role: Role) => add(db, user(address), role),
    change: (address: string, role: Role) => change(db, user(address), role),
    remove: (address: string) => remove(db, user(address)),
  }
}

type User = { organisationId: string; email: string; by: string }

/** Adds a person by their address: 400 when it is not one in ASCII, 409 when they belong to the organisation already. */
async function add(db: DrizzleD1Database, user: User, role: Role): Promise<void> {
  const { organisationId, email } = user
  if (!isAddress(email))
    throw new ApiError(
      'BAD_REQUEST',
      'E-mail: must be an address in ASCII, such as ana@example.org.',
    )
  const added = await act(
    db,
    user,
    `added user as ${role}`,
    sql`NOT ${exists(is(user))}`,
    db
      .insert(memberships)
      .values({ organisationId, email, ...keptRole(role), created: new Date().toISOString() })
      .onConflictDoNothing()
      .returning({ email: memberships.email }),
  )
  if (!added) throw new ApiError('CONFLICT', `${email} belongs to the organisation already.`)
}

/** Gives a person another role; 409 where nobody would be left to administer the organisation. */
async function change(db: DrizzleD1Database, user: User, role: Role): Promise<void> {
  const where = role === 'admin' ? is(user) : and(is(user), leavesAdministrator(user))
  const changed = await act(
    db,
    user,
    `made user ${role}`,
    exists(where),
    db.update(memberships).set(keptRole(role)).where(where).returning({ email: memberships.email }),
  )
  if (!changed) throw notChanged()
}

/** Shuts a person out from their next request on; 409 where nobody would be left to administer the organisation. */
async function remove(db: DrizzleD1Database, user: User): Promise<void> {
  const where = and(is(user), leavesAdministrator(user))
  const removed = await act(
    db,
    user,
    'removed user',
    exists(where),
    db.delete(memberships).where(where).returning({ email: memberships.email }),
  )
  if (!removed) throw notChanged()
}

/** Does what is asked of a person and records it, in one transaction; tells whether it was done. */
async function act(
  db: DrizzleD1Database,
  { organisationId, email, by: actor }: User,
  done: string,
  condition: SQL,
  statement: Returning,
): Promise<boolean> {
  const record = audited(db, { organisationId, actor, act: done, target: email }, condition)
  const [, rows] = await inTime(db.batch([record, statement]))
  return rows.length > 0
}

type Returning = Parameters<DrizzleD1Database['batch']>[0][0] & {
  _: { result: { email: string }[] }
}

const is = ({ organisationId, email }: User) =>
  and(eq(memberships.organisationId, organisationId), eq(memberships.email, email))

const exists = (where: SQL | undefined) => sql`EXISTS (SELECT 1 FROM memberships WHERE ${where})`

const leavesAdministrator = ({ organisationId, email }: User) =>
  sql`EXISTS (SELECT 1 FROM memberships AS other WHERE other.organisation_id = ${organisationId}
    AND other.email <> ${email} AND other.role = 'admin')`

const notChanged = () =>
  new ApiError(
    'CONFLICT',
    'Nothing was changed: this person is gone already, or is the last administrator; make somebody else one first.',
  )
