import { type SQL, sql } from 'drizzle-orm/sql'
import type { Credential } from '../access/credential.ts'
import { type Role, restrictionsOfRole, roles, roleTable } from '../access/roles.ts'
import type { Author } from '../model/author.ts'
import type { RecordDatabases } from '../platform/bindings.ts'
import { probableDatabase } from '../store/databases.ts'
import { claimMemberships, storedRole } from '../store/settings/memberships.ts'
import { statement } from '../store/statement.ts'
import type { Person } from './token.ts'

/** A membership, as read from `DB` for an organisation in another database. */
type Membership = {
  permissions: string
  restrictions: string | null
  isAdministrator: number
  description: string
}

/**
 * The credential of a person in an organisation, valid while the membership exists. A statement
 * in `DB` checks the membership itself; any other database gets the result of a check in `DB`.
 */
export function buildPersonCredential(
  { DB }: Pick<RecordDatabases, 'DB'>,
  person: Person,
  organisationId: string,
  author: Author,
  /** The last known role. */
  role?: Role,
): Credential {
  const { issuer, subject } = person
  const fromMembership = sql`FROM memberships WHERE issuer = ${issuer}
    AND subject = ${subject} AND organisation_id = ${organisationId}`
  const isAdministrator = sql`coalesce((SELECT role = 'admin' ${fromMembership}), false)`
  const description = sql`(
    SELECT json_object('kind', 'person', 'email', email, 'role', ${storedRole()}) ${fromMembership})`
  const isHere = sql`(SELECT database IS NULL FROM organisations WHERE id = ${organisationId})`
  let membership: Membership | undefined
  async function readMembership() {
    const query = sql`SELECT ${accessOfRole}, ${isAdministrator} AS isAdministrator,
      ${description} AS description ${fromMembership}`
    membership = (await statement(DB, query).first<Membership>()) ?? undefined
    return membership
  }
  const credential: Credential = {
    organisationId,
    database: probableDatabase(organisationId),
    principal: `${issuer} ${subject}`,
    author,
    administers: whenBuilt(() =>
      credential.database === 'DB' ? isAdministrator : sql`${membership?.isAdministrator ?? 0}`,
    ),
    access: whenBuilt(() =>
      credential.database === 'DB'
        ? sql`SELECT ${accessOfRole} ${fromMembership} AND ${isHere}`
        : sql`SELECT ${membership?.permissions ?? ''} AS permissions,
            ${membership?.restrictions ?? null} AS restrictions WHERE ${isHere}`,
    ),
    permissions: role === undefined ? undefined : permissionsOfRole(role),
    restrictions: role === undefined ? null : restrictionsOfRole(role),
    describe: () =>
      whenBuilt(() =>
        credential.database === 'DB' ? description : sql`${membership?.description ?? null}`,
      ),
    readAccess: async () => (await readMembership()) ?? null,
    claim: () => claimMemberships(DB, person),
  }
  return credential
}

// Written out, because a statement has at most 100 parameters.
const byRole = (textOf: (role: Role) => string | null) => {
  const branches = roles.map((role) => `WHEN '${role}' THEN '${textOf(role) ?? ''}'`)
  return sql`nullif(CASE ${storedRole()} ${sql.raw(branches.join(' '))} END, '')`
}

const permissionsOfRole = (role: Role) => roleTable[role].permissions.join()

const accessOfRole = sql`${byRole(permissionsOfRole)} AS permissions,
  ${byRole(restrictionsOfRole)} AS restrictions`

/** SQL that is composed only when a statement is built for the database of that moment. */
const whenBuilt = (getSQL: () => SQL): SQL => sql`${{ getSQL, shouldOmitSQLParens: () => true }}`
