import { and, eq, gt, lt } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { DatabaseName } from '../platform/bindings.ts'
import { sha256 } from '../platform/sha256.ts'
import { memberships, sessions } from '../store/access-tables.ts'
import { type Role, storedRole } from '../store/settings/memberships.ts'
import { organisations } from '../store/tables.ts'
import type { Person } from './token.ts'

/** A signed-in person with their current memberships. */
export type Session = { name: string; person: Person; memberships: SessionMembership[] }

export type SessionMembership = {
  organisationId: string
  organisation: string
  role: Role
  /** The database that has the organisation; null for `DB`. */
  database: DatabaseName | null
}

/** The lifetime of a session, in seconds. */
export const sessionSeconds = 8 * 3600

/** Creates a session and returns its secret for the cookie; the database stores its SHA-256. */
export async function createSession(d1: D1Database, person: Person, name: string): Promise<string> {
  const db = drizzle(d1)
  const secret = crypto.getRandomValues(new Uint8Array(32)).toHex()
  const { issuer, subject } = person
  const now = Date.now()
  const expires = new Date(now + sessionSeconds * 1000).toISOString()
  await db.batch([
    db.delete(sessions).where(lt(sessions.expires, new Date(now).toISOString())),
    db.insert(sessions).values({ hash: await sha256(secret), issuer, subject, name, expires }),
  ])
  return secret
}

/** The session with this secret; undefined if it has ended. */
export async function findSession(d1: D1Database, secret: string): Promise<Session | undefined> {
  const { issuer, subject } = memberships
  const rows = await drizzle(d1)
    .select({
      name: sessions.name,
      person: { issuer: sessions.issuer, subject: sessions.subject },
      membership: {
        organisationId: organisations.id,
        organisation: organisations.name,
        // Raw SQL, because Drizzle returns null for an unmatched join only if all columns of the
        // object belong to one table.
        role: storedRole(),
        database: organisations.database,
      },
    })
    .from(sessions)
    .leftJoin(memberships, and(eq(issuer, sessions.issuer), eq(subject, sessions.subject)))
    .leftJoin(organisations, eq(organisations.id, memberships.organisationId))
    .where(
      and(eq(sessions.hash, await sha256(secret)), gt(sessions.expires, new Date().toISOString())),
    )
    .orderBy(organisations.name)
  const [firstRow] = rows
  return (
    firstRow && {
      name: firstRow.name,
      person: firstRow.person,
      memberships: rows.flatMap(({ membership }) => toMemberships(membership)),
    }
  )
}

// The join returns null for a person without memberships.
const toMemberships = (membership: SessionMembership | null) => (membership ? [membership] : [])

/** Deletes a session. Returns false for an unknown one. */
export async function deleteSession(d1: D1Database, secret: string): Promise<boolean> {
  const { hash } = sessions
  const deletedRows = await drizzle(d1)
    .delete(sessions)
    .where(eq(hash, await sha256(secret)))
    .returning({ hash })
  return deletedRows.length > 0
}
