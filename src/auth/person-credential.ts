import { type SQL, sql } from 'drizzle-orm/sql'
import type { Credential } from '../access/credential.ts'
import type { Author } from '../model/author.ts'
import type { RecordDatabases } from '../platform/bindings.ts'
import { probableDatabase } from '../store/databases.ts'
import { claimMemberships, storedRole } from '../store/settings/memberships.ts'
import { statement } from '../store/statement.ts'
import type { Person } from './token.ts'

/** A membership, as read from `DB` for an organisation in another database. */
type Membership = { permissions: string; isAdministrator: number; description: string }

/**
 * The credential of a person in an organisation, valid while the membership exists. A statement
 * in `DB` checks the membership itself; any other database gets the result of a check in `DB`.
 */
export function buildPersonCredential(
  { DB }: Pick<RecordDatabases, 'DB'>,
  person: Person,
  organisationId: string,
  author: Author,
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
    const query = sql`SELECT ${permissionsOfRole} AS permissions,
      ${isAdministrator} AS isAdministrator, ${description} AS description ${fromMembership}`
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
        ? sql`SELECT ${permissionsOfRole} AS permissions, NULL AS restrictions
            ${fromMembership} AND ${isHere}`
        : sql`SELECT ${membership?.permissions ?? ''} AS permissions, NULL AS restrictions
            WHERE ${isHere}`,
    ),
    restrictions: null,
    describe: () =>
      whenBuilt(() =>
        credential.database === 'DB' ? description : sql`${membership?.description ?? null}`,
      ),
    readAccess: async () => (await readMembership())?.permissions ?? null,
    claim: () => claimMemberships(DB, person),
  }
  return credential
}

const permissionsOfRole = sql`CASE
    WHEN registers_only THEN 'take-registers'
    WHEN role = 'reader' THEN 'read'
    ELSE 'read,create-members,write'
  END`

/** SQL that is composed only when a statement is built for the database of that moment. */
const whenBuilt = (getSQL: () => SQL): SQL => sql`${{ getSQL, shouldOmitSQLParens: () => true }}`
