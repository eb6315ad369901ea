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

const minuteMs = 60_000

/** A session that is not used for this long ends. A form that waits over a lunch break must still be accepted. */
const maxIdleMs = 120 * minuteMs

/** The last use is stored only this often, because each update is a write. */
const useIntervalMs = 5 * minuteMs

/** The time from the warning to the end of a session without use. */
export const warningMinutes = 15

/** The time on a page until its warning, counted from the last stored use (`public/assets/dashboard.js`). */
export const warnAfterMs = maxIdleMs - useIntervalMs - warningMinutes * minuteMs

/** A session in the list of its person. */
export type SessionUse = { started: string; lastUsed: string; isCurrent: boolean }

/** Creates a session and returns its secret for the cookie; the database stores its SHA-256. */
export async function createSession(d1: D1Database, person: Person, name: string): Promise<string> {
  const secret = crypto.getRandomValues(new Uint8Array(32)).toHex()
  const { issuer, subject } = person
  const now = Date.now()
  const expires = new Date(now + sessionSeconds * 1000).toISOString()
  const lastUsed = new Date(now).toISOString()
  await d1.batch([
    statement(d1, sql`DELETE FROM sessions WHERE expires < ${lastUsed}`),
    statement(
      d1,
      sql`INSERT INTO sessions (hash, issuer, subject, name, expires, last_used)
        VALUES (${await sha256(secret)}, ${issuer}, ${subject}, ${name}, ${expires}, ${lastUsed})`,
    ),
  ])
  return secret
}

/** A session and one of the person's memberships, if they have any. */
const sessionColumns = {
  name: text(sql`sessions.name`),
  issuer: text(sql`sessions.issuer`),
  subject: text(sql`sessions.subject`),
  lastUsed: text(sql`sessions.last_used`),
  organisationId: nullable(text(sql`organisations.id`)),
  organisation: text(sql`organisations.name`),
  email: text(sql`memberships.email`),
  role: enumeration<Role>(storedRole()),
  database: nullable(enumeration<DatabaseName>(sql`organisations.database`)),
}

const isOpen = (now: number) => sql`sessions.expires > ${new Date(now).toISOString()}
  AND sessions.last_used > ${new Date(now - maxIdleMs).toISOString()}`

/** Finds the session with this secret and records its use. Returns undefined if it has ended. */
export async function findSession(d1: D1Database, secret: string): Promise<Session | undefined> {
  const [hash, now] = [await sha256(secret), Date.now()]
  const query = sql`SELECT ${selectColumns(sessionColumns)} FROM sessions
    LEFT JOIN memberships
      ON memberships.issuer = sessions.issuer AND memberships.subject = sessions.subject
    LEFT JOIN organisations ON organisations.id = memberships.organisation_id
    WHERE sessions.hash = ${hash} AND ${isOpen(now)}
    ORDER BY organisations.name`
  const rows = decodeRows(sessionColumns, (await statement(d1, query).all<Row>()).results)
  const [first] = rows
  if (!first) return undefined
  const { name, issuer, subject, lastUsed } = first
  if (now - Date.parse(lastUsed) >= useIntervalMs) {
    const update = sql`UPDATE sessions SET last_used = ${new Date(now).toISOString()} WHERE hash = ${hash}`
    await statement(d1, update).run()
  }
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

const sessionUseColumns = {
  hash: text(sql`hash`),
  expires: text(sql`expires`),
  lastUsed: text(sql`last_used`),
}

/** The open sessions of a person, the newest first. */
export async function listSessions(
  d1: D1Database,
  { issuer, subject }: Person,
  currentSecret: string,
): Promise<SessionUse[]> {
  const query = sql`SELECT ${selectColumns(sessionUseColumns)} FROM sessions
    WHERE issuer = ${issuer} AND subject = ${subject} AND ${isOpen(Date.now())}
    ORDER BY expires DESC`
  const { results } = await statement(d1, query).all<Row>()
  const currentHash = await sha256(currentSecret)
  return decodeRows(sessionUseColumns, results).map(({ hash, expires, lastUsed }) => ({
    started: new Date(Date.parse(expires) - sessionSeconds * 1000).toISOString(),
    lastUsed,
    isCurrent: hash === currentHash,
  }))
}

/** Ends all sessions of a person. */
export async function deleteSessionsOf(d1: D1Database, { issuer, subject }: Person): Promise<void> {
  const query = sql`DELETE FROM sessions WHERE issuer = ${issuer} AND subject = ${subject}`
  await statement(d1, query).run()
}
