import { sql } from 'drizzle-orm'
import type { Author } from '../model/author.ts'
import type { Credential } from '../store/credential.ts'
import { claimMemberships } from './memberships.ts'
import type { Person } from './token.ts'

/** What a person may do in an organisation, for as long as they belong to it. */
export function personCredential(
  d1: D1Database,
  person: Person,
  organisationId: string,
  author: Author,
): Credential {
  const { issuer, subject } = person
  const theirs = sql`FROM memberships WHERE issuer = ${issuer}
    AND subject = ${subject} AND organisation_id = ${organisationId}`
  const rights = sql`(SELECT iif(role = 'admin' OR edits, 'read,create-members,write', 'read') ${theirs})`
  return {
    organisationId,
    who: `${issuer} ${subject}`,
    author,
    administers: sql`coalesce((SELECT role = 'admin' ${theirs}), false)`,
    rights,
    held: rights,
    limits: null,
    claim: () => claimMemberships(d1, person),
  }
}
