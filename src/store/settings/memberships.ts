import { type SQL, sql } from 'drizzle-orm/sql'
import type { Role } from '../../access/roles.ts'
import { decodeRows, enumeration, flag, type Selected, selectColumns, text } from '../columns.ts'
import { ofOrganisation } from '../fragments.ts'
import { type Row, statement } from '../statement.ts'
import type { Store } from '../store.ts'
import { administration } from '../terms.ts'

/*
 * `DB` has the memberships of all organisations. The stores that write them come from `directoryStore`.
 * Addresses are normalised.
 */

/** The issuer of people who signed in with a one-time code. No identity provider can have it, because theirs are https addresses. */
export const codeIssuer = 'urn:organisation-data-platform:code'

const limitedReader = 'reader-without-contact-details' satisfies Role

/** The columns that store a role. The CHECK constraint of `role` knows neither kind of limited reader. */
const roleColumns = sql`role, registers_only, hides_contacts`

const roleValues = (role: Role): SQL => {
  const isSteward = role === 'steward'
  const hidesContacts = role === limitedReader
  const stored = isSteward || hidesContacts ? 'reader' : role
  return sql`${stored}, ${Number(isSteward)}, ${Number(hidesContacts)}`
}

/** SQL for the role in the columns. */
export const storedRole = () =>
  sql<Role>`CASE WHEN memberships.registers_only THEN 'steward'
    WHEN memberships.hides_contacts THEN ${sql.raw(`'${limitedReader}'`)} ELSE memberships.role END`

const userColumns = {
  organisationId: text(sql`organisation_id`),
  email: text(sql`email`),
  role: enumeration<Role>(storedRole()),
  created: text(sql`created`),
  /** Whether they have signed in once. */
  bound: flag(sql`subject IS NOT NULL`),
}

/** A user of an organisation. */
export type User = Selected<typeof userColumns>

/** Lists an organisation's users by address. */
export async function listMemberships(store: Store): Promise<User[]> {
  const from = sql`FROM memberships WHERE ${ofOrganisation(store)} ORDER BY email`
  return (await store.select({ rows: { columns: userColumns, from } })).rows
}

/** Lists the users of all organisations by organisation and address. */
export async function listAllMemberships(d1: D1Database): Promise<User[]> {
  const query = sql`SELECT ${selectColumns(userColumns)} FROM memberships ORDER BY organisation_id, email`
  return decodeRows(userColumns, (await statement(d1, query).all<Row>()).results)
}

/** Adds a user. Returns false if they belong to the organisation already. */
export async function insertMembership(store: Store, email: string, role: Role): Promise<boolean> {
  const { refused } = await store.write(
    {
      ...administration,
      unless: { exists: userExists(store, email) },
      audit: { action: 'user.added', detail: role, target: email },
    },
    [insertUser(store, email, role)],
  )
  return refused === undefined
}

/** Adds a user, or changes their role if they belong to the organisation already. */
export async function upsertMembership(store: Store, email: string, role: Role): Promise<void> {
  const audit = { action: 'user.added', detail: role, target: email } as const
  await store.write({ ...administration, audit }, [
    sql`${insertUser(store, email, role)} ON CONFLICT (organisation_id, email)
      DO UPDATE SET role = excluded.role, registers_only = excluded.registers_only,
        hides_contacts = excluded.hides_contacts`,
  ])
}

/** Changes a user's role. Returns false for an unknown user and for the last administrator. */
export async function changeRole(store: Store, email: string, role: Role): Promise<boolean> {
  const { refused } = await store.write(
    {
      ...administration,
      unless: {
        unknown: sql`NOT ${userExists(store, email)}`,
        last: role === 'admin' ? undefined : sql`NOT ${otherAdministratorExists(store, email)}`,
      },
      audit: { action: 'user.changed', detail: role, target: email },
    },
    [
      sql`UPDATE memberships SET (${roleColumns}) = (SELECT ${roleValues(role)})
        WHERE ${isUser(store, email)}`,
    ],
  )
  return refused === undefined
}

/**
 * Removes a user and their sessions, with effect from their next request. Returns false for an unknown user, and with
 * `keepsAdministrator` for the last administrator.
 */
export async function removeMembership(
  store: Store,
  email: string,
  { keepsAdministrator }: { keepsAdministrator: boolean },
): Promise<boolean> {
  const { refused } = await store.write(
    {
      ...administration,
      unless: {
        unknown: sql`NOT ${userExists(store, email)}`,
        last: keepsAdministrator ? sql`NOT ${otherAdministratorExists(store, email)}` : undefined,
      },
      audit: { action: 'user.removed', target: email },
    },
    [
      deleteSessionsOfUser(store, email),
      sql`DELETE FROM memberships WHERE ${isUser(store, email)}`,
    ],
  )
  return refused === undefined
}

/** Ends the sessions of a user. Returns false for an unknown user. */
export async function endSessions(store: Store, email: string): Promise<boolean> {
  const { refused } = await store.write(
    {
      ...administration,
      unless: { unknown: sql`NOT ${userExists(store, email)}` },
      audit: { action: 'user.signedOut', target: email },
    },
    [deleteSessionsOfUser(store, email)],
  )
  return refused === undefined
}

/**
 * Links a person to the memberships of their verified address. A link by a one-time code gives way to that by the
 * identity provider. Returns whether to check again: a concurrent request may have linked them too.
 */
export async function claimMemberships(
  d1: D1Database,
  { issuer, subject, email }: { issuer: string; subject: string; email?: string | undefined },
): Promise<boolean> {
  if (email === undefined) return false
  const release = sql`UPDATE memberships SET issuer = NULL, subject = NULL
    WHERE issuer = ${codeIssuer} AND subject = ${email}`
  const claim = sql`UPDATE memberships SET issuer = ${issuer}, subject = ${subject}
    WHERE email = ${email} AND subject IS NULL AND NOT EXISTS (
      SELECT 1 FROM memberships AS own WHERE own.issuer = ${issuer} AND own.subject = ${subject}
        AND own.organisation_id = memberships.organisation_id
    )`
  await d1.batch([release, claim].map((query) => statement(d1, query)))
  return true
}

/** SQL that adds a user. */
export const insertUser = ({ organisationId }: Store, email: string, role: Role): SQL =>
  sql`INSERT INTO memberships (organisation_id, email, created, ${roleColumns})
    SELECT ${organisationId}, ${email}, ${new Date().toISOString()}, ${roleValues(role)} WHERE true`

const isUser = (store: Store, email: string) => sql`${ofOrganisation(store)} AND email = ${email}`

const deleteSessionsOfUser = (store: Store, email: string) =>
  sql`DELETE FROM sessions WHERE (issuer, subject) IN
    (SELECT issuer, subject FROM memberships WHERE ${isUser(store, email)})`

const userExists = (store: Store, email: string) =>
  sql`EXISTS (SELECT 1 FROM memberships WHERE ${isUser(store, email)})`

const otherAdministratorExists = (store: Store, email: string) =>
  sql`EXISTS (SELECT 1 FROM memberships WHERE ${ofOrganisation(store)}
    AND email <> ${email} AND role = 'admin')`
