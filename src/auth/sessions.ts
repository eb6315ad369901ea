import { sql } from 'drizzle-orm/sql'
import type { Role } from '../access/roles.ts'
import type { DatabaseName } from '../platform/bindings.ts'
import { sha256 } from '../platform/sha256.ts'
import { decodeRows, enumeration, nullable, selectColumns, text } from '../store/columns.ts'
import { storedRole } from '../store/settings/memberships.ts'
import { type Row, statement } from '../store/statement.ts'
import type { Person } from './token.ts'

/** A signed-in person with their current memberships. */
export type Session = { name: string; person: Person; memberships: SessionMembership[] }

export type SessionMembership = {
  organisationId: string
  organisation: string
  /** The address that the person was invited with. */
  email: string
  role: Role
  /** The database that has the organisation; null for `DB`. */
  database: DatabaseName | null
}

/** The lifetime of a session, in seconds. */
export const sessionSeconds = 8 * 3600

/** Creates a session and returns its secret for the cookie; the database stores its SHA-256. */
export async function createSession(d1: D1Database, person: Person, name: string): Promise<string> {
  const secret = crypto.getRandomValues(new Uint8Array(32)).toHex()
  const { issuer, subject } = person
  const now = Date.now()
  const expires = new Date(now + sessionSeconds * 1000).toISOString()
  await d1.batch([
    statement(d1, sql`DELETE FROM sessions WHERE expires < ${new Date(now).toISOString()}`),
    statement(
      d1,
      sql`INSERT INTO sessions (hash, issuer, subject, name, expires)
        VALUES (${await sha256(secret)}, ${issuer}, ${subject}, ${name}, ${expires})`,
    ),
  ])
  return secret
}

/** A session and one of the person's memberships, if they have any. */
const sessionColumns = {
  name: text(sql`sessions.name`),
  issuer: text(sql`sessions.issuer`),
  subject: text(sql`sessions.subject`),
  organisationId: nullable(text(sql`organisations.id`)),
  organisation: text(sql`organisations.name`),
  email: text(sql`memberships.email`),
  role: enumeration<Role>(storedRole()),
  database: nullable(enumeration<DatabaseName>(sql`organisations.database`)),
}

/** The session with this secret; undefined if it has ended. */
export async function findSession(d1: D1Database, secret: string): Promise<Session | undefined> {
  const query = sql`SELECT ${selectColumns(sessionColumns)} FROM sessions
    LEFT JOIN memberships
      ON memberships.issuer = sessions.issuer AND memberships.subject = sessions.subject
    LEFT JOIN organisations ON organisations.id = memberships.organisation_id
    WHERE sessions.hash = ${await sha256(secret)} AND sessions.expires > ${new Date().toISOString()}
    ORDER BY organisations.name`
  const rows = decodeRows(sessionColumns, (await statement(d1, query).all<Row>()).results)
  const [first] = rows
  if (!first) return undefined
  const { name, issuer, subject } = first
  const memberships = rows.flatMap(({ organisationId, organisation, email, role, database }) =>
    organisationId === null ? [] : [{ organisationId, organisation, email, role, database }],
  )
  return { name, person: { issuer, subject }, memberships }
}

/** Deletes a session. Returns false for an unknown one. */
export async function deleteSession(d1: D1Database, secret: string): Promise<boolean> {
  const query = sql`DELETE FROM sessions WHERE hash = ${await sha256(secret)} RETURNING hash`
  return (await statement(d1, query).all()).results.length > 0
}
