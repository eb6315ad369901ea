import { eq, lt, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { inTime } from '../store/in-time.ts'
import { statement } from '../store/statement.ts'
import { sessions } from '../store/tables.ts'
import { hashOf } from './api-key.ts'
import type { Role } from './memberships.ts'
import type { Person } from './token.ts'

/** Who is signed in, and the organisations they belong to at this moment. */
export type Session = { name: string; memberships: SessionMembership[] }

export type SessionMembership = { organisationId: string; organisation: string; role: Role }

/** How long a session lasts, in seconds. */
export const sessionSeconds = 8 * 3600

/** Begins a session of a person and gives its secret, for their cookie; the database keeps its SHA-256. */
export async function startSession(d1: D1Database, person: Person, name: string): Promise<string> {
  const db = drizzle(d1)
  const secret = crypto.getRandomValues(new Uint8Array(32)).toHex()
  const { issuer, subject } = person
  const now = Date.now()
  const expires = new Date(now + sessionSeconds * 1000).toISOString()
  await inTime(
    db.batch([
      db.delete(sessions).where(lt(sessions.expires, new Date(now).toISOString())),
      db.insert(sessions).values({ hash: await hashOf(secret), issuer, subject, name, expires }),
    ]),
  )
  return secret
}

/** The session with this secret; undefined when it has ended. */
export async function findSession(d1: D1Database, secret: string): Promise<Session | undefined> {
  const found = statement(
    d1,
    sql`SELECT sessions.name, organisations.id AS organisationId,
        organisations.name AS organisation, role
      FROM sessions
      LEFT JOIN memberships USING (issuer, subject)
      LEFT JOIN organisations ON organisations.id = memberships.organisation_id
      WHERE hash = ${await hashOf(secret)} AND expires > ${new Date().toISOString()}
      ORDER BY organisation`,
  ).all<{ name: string } & SessionMembership>()
  const { results } = await inTime(found)
  const [first] = results
  return first && { name: first.name, memberships: results.filter((row) => row.organisationId) }
}

/** Ends a session for good. */
export async function endSession(d1: D1Database, secret: string): Promise<void> {
  await inTime(
    drizzle(d1)
      .delete(sessions)
      .where(eq(sessions.hash, await hashOf(secret))),
  )
}
