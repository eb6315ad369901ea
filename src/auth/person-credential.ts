import { sql } from 'drizzle-orm/sql'
import type { Credential } from '../access/credential.ts'
import type { Author } from '../model/author.ts'
import { claimMemberships, storedRole } from './memberships.ts'
import type { Person } from './token.ts'

/** Returns the credential of a person in an organisation, valid while the membership exists. */
export function buildPersonCredential(
  d1: D1Database,
  person: Person,
  organisationId: string,
  author: Author,
): Credential {
  const { issuer, subject } = person
  const fromMembership = sql`FROM memberships WHERE issuer = ${issuer}
    AND subject = ${subject} AND organisation_id = ${organisationId}`
  return {
    organisationId,
    principal: `${issuer} ${subject}`,
    author,
    administers: sql`coalesce((SELECT role = 'admin' ${fromMembership}), false)`,
    access: sql`SELECT
      CASE
        WHEN registers_only THEN 'take-registers'
        WHEN role = 'reader' THEN 'read'
        ELSE 'read,create-members,write'
      END AS permissions,
      NULL AS restrictions ${fromMembership}`,
    restrictions: null,
    describe: () => sql`(
      SELECT json_object('kind', 'person', 'email', email, 'role', ${storedRole()}) ${fromMembership})`,
    claim: () => claimMemberships(d1, person),
  }
}
