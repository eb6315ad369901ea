import { type SQL, sql } from 'drizzle-orm/sql'
import { randomText } from '../platform/random-text.ts'
import { sha256 } from '../platform/sha256.ts'
import { anyOrganisationExists } from '../store/organisations.ts'
import { codeIssuer } from '../store/settings/memberships.ts'
import { statement } from '../store/statement.ts'
import type { Person } from './token.ts'

/*
 * A one-time code opens one session of the dashboard within 24 hours. The setup code of a new installation opens the
 * page that creates its organisation; a user's sign-in code signs them in while no identity provider has. The
 * operator makes both. An unused code is a row of `sessions` with an issuer of its own and the hash of the code, so
 * it is cleaned up like a session. Using it deletes the row, so of simultaneous uses one succeeds.
 */

/** The subject of the setup code and of its session; other subjects are e-mail addresses. */
const setUpSubject = ''

const unusedIssuer = 'urn:organisation-data-platform:unused-code'

// Without i, l, o, 0 and 1: 138 bits.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const codeLength = 28
const groupPattern = /.{4}(?=.)/g

const lifetimeMs = 24 * 3_600_000

/** Makes the setup code in place of an earlier one, whose session ends. Returns undefined once there is an organisation. */
export const createSetUpCode = (d1: D1Database): Promise<string | undefined> =>
  createCode(
    d1,
    setUpSubject,
    sql`DELETE FROM sessions WHERE issuer IN (${unusedIssuer}, ${codeIssuer}) AND subject = ${setUpSubject}`,
  )

/** Makes a user's sign-in code in place of an earlier one. Returns undefined for an unknown address, and for a user of the identity provider. */
export const createSignInCode = (d1: D1Database, email: string): Promise<string | undefined> =>
  createCode(
    d1,
    email,
    sql`DELETE FROM sessions WHERE issuer = ${unusedIssuer} AND subject = ${email}`,
  )

/** Uses a code up and returns the person whom it signs in; undefined for a code that is wrong, used, expired or no longer needed. */
export async function takeCode(d1: D1Database, text: string): Promise<Person | undefined> {
  const code = text.toLowerCase().replaceAll(/[^a-z\d]/g, '')
  if (code.length !== codeLength) return undefined
  const query = sql`DELETE FROM sessions
    WHERE hash = ${await hashCode(code)} AND issuer = ${unusedIssuer}
      AND expires > ${new Date().toISOString()} AND ${isUsable(sql`sessions.subject`)}
    RETURNING subject`
  const subject = await statement(d1, query).first<string>('subject')
  if (subject === null) return undefined
  return { issuer: codeIssuer, subject, ...(subject !== setUpSubject && { email: subject }) }
}

/** SQL that makes the session of the setup code that of the first administrator, whom it signs in. */
export const turnSetUpSessionInto = (email: string): SQL[] => [
  sql`UPDATE memberships SET issuer = ${codeIssuer}, subject = ${email} WHERE email = ${email}`,
  sql`UPDATE sessions SET subject = ${email}, name = ${email}
    WHERE issuer = ${codeIssuer} AND subject = ${setUpSubject}`,
]

/** Whether a person has signed in with the setup code. */
export const isSetUpPerson = ({ issuer, subject }: Person) =>
  issuer === codeIssuer && subject === setUpSubject

async function createCode(
  d1: D1Database,
  subject: string,
  deleteEarlier: SQL,
): Promise<string | undefined> {
  const code = randomText(alphabet, codeLength)
  const expires = new Date(Date.now() + lifetimeMs).toISOString()
  const insert = sql`INSERT INTO sessions (hash, issuer, subject, name, expires)
    SELECT ${await hashCode(code)}, ${unusedIssuer}, ${subject}, '', ${expires}
    WHERE ${isUsable(sql`${subject}`)} RETURNING hash`
  const results = await d1.batch([deleteEarlier, insert].map((query) => statement(d1, query)))
  return results.at(-1)?.results.length === 1 ? code.replaceAll(groupPattern, '$&-') : undefined
}

/** Whether a subject needs a code: the installation has no organisation, or the user has not signed in through the identity provider. */
const isUsable = (subject: SQL): SQL =>
  sql`CASE ${subject} WHEN ${setUpSubject} THEN NOT ${anyOrganisationExists} ELSE EXISTS (
    SELECT 1 FROM memberships WHERE memberships.email = ${subject} AND memberships.subject IS NULL
    UNION ALL
    SELECT 1 FROM memberships WHERE memberships.issuer = ${codeIssuer} AND memberships.subject = ${subject}
  ) END`

// With the prefix, a code cannot have the hash of a cookie's secret.
const hashCode = (code: string) => sha256(`code ${code}`)
