import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import type { Administration } from '../../admin/organisation/administration.ts'
import { notifyWebhooks, runInBackground } from '../../auth/background-tasks.ts'
import { type Env, recordsOpener } from '../../auth/env.ts'
import { limitFailures, limitRequests } from '../../auth/limits.ts'
import { takeCode } from '../../auth/one-time-codes.ts'
import { buildPersonCredential } from '../../auth/person-credential.ts'
import type { LocalProvider } from '../../auth/provider.ts'
import {
  createSession,
  deleteSession,
  deleteSessionsOf,
  findSession,
  listSessions,
  type Session,
  type SessionMembership,
  type SessionUse,
  sessionSeconds,
} from '../../auth/sessions.ts'
import type { Person } from '../../auth/token.ts'
import type { HttpEnv } from '../../http/env.ts'
import { type Mail, openMail } from '../../mail/mail.ts'
import { NoMembershipError } from '../../model/api-error.ts'
import type { Bindings } from '../../platform/bindings.ts'
import { sha256 } from '../../platform/sha256.ts'
import { recordSignIn } from '../../store/audit-log.ts'
import { openDatabase, rememberDatabase } from '../../store/databases.ts'
import { openShare } from '../../store/fair-share.ts'
import { claimMemberships } from '../../store/settings/memberships.ts'
import { Store } from '../../store/store.ts'
import { directoryStore } from '../../store/trusted-store.ts'
import { hostOf } from '../../webhooks/address.ts'

/** The Hono environment of the dashboard: the browser's session and, after `requireMembership`, the organisation's data and settings. */
export type DashboardEnv = {
  Bindings: HttpEnv['Bindings'] & LocalProvider
  Variables: Env['Variables'] & {
    browser: SessionActions
    session?: Session
    membership?: SessionMembership
    /** Opens operations on the organisation, such as `organisationKeys`. */
    administer<Operations>(open: (administration: Administration) => Operations): Operations
    settingsPages: readonly SettingsPage[]
    /** Undefined if mail is not set up. */
    mail: Mail | undefined
    /** Runs a writing task while the response streams, then notifies webhooks. */
    runInBackground(task: Promise<unknown>): void
  }
}

/** A page of the settings as the navigation shows it. */
export type SettingsPage = { name: string; path: string; action: 'read' | 'administer' }

/** The Hono environment of the code that uses the directory. */
export type DatabaseEnv = {
  Bindings: Bindings & LocalProvider
  Variables: DashboardEnv['Variables']
}

/** Signs the browser in or out. */
type SessionActions = {
  signIn(person: Person, name: string): Promise<void>
  /** Signs in with a one-time code, which cannot be used again. Returns false for an invalid one. */
  signInWithCode(code: string): Promise<boolean>
  /** Also deletes the session, so that a copied cookie becomes useless. */
  signOut(): Promise<void>
  /** The open sessions of the user. */
  listSessions(): Promise<SessionUse[]>
  signOutEverywhere(): Promise<void>
}

const cookieName = 'session'
const secretPattern = /^[0-9a-f]{64}$/

/** The attributes of the dashboard's cookies. `__Host-` restricts them to this host and TLS; `Lax` lets the identity provider's redirect send them. */
export const cookieAttributes = {
  prefix: 'host',
  path: '/',
  secure: true,
  httpOnly: true,
  sameSite: 'Lax',
} as const

/** Adds the actions that sign the browser in and out. */
export const withSession = createMiddleware<DatabaseEnv>(async (c, next) => {
  const { DB } = c.env
  async function signIn(person: Person, name: string) {
    const previousSecret = readSecret(c)
    if (previousSecret) await deleteSession(DB, previousSecret)
    await claimMemberships(DB, person)
    const secret = await createSession(DB, person, name)
    await recordSignIn(DB, person, name)
    setCookie(c, cookieName, secret, { ...cookieAttributes, maxAge: sessionSeconds })
  }
  c.set('browser', {
    signIn,
    async signInWithCode(code) {
      const person = await takeCode(DB, code)
      if (!person) {
        // Counted after the look-up, so that other people's failures cannot block a valid code.
        await limitFailures(c, 'code')
        return false
      }
      await signIn(person, person.email ?? 'New service')
      return true
    },
    async signOut() {
      const secret = readSecret(c)
      if (secret) {
        const isDeleted = await deleteSession(DB, secret)
        if (!isDeleted) await limitFailures(c, 'session')
      }
      deleteCookie(c, cookieName, cookieAttributes)
    },
    async listSessions() {
      const { session } = c.var
      return session ? listSessions(DB, session.person, readSecret(c) ?? '') : []
    },
    async signOutEverywhere() {
      const { session } = c.var
      if (session) await deleteSessionsOf(DB, session.person)
      deleteCookie(c, cookieName, cookieAttributes)
    },
  })
  await next()
})

/** Loads the session, or redirects to the sign-in page. */
export const requireSession = createMiddleware<DatabaseEnv>(async (c, next) => {
  const secret = readSecret(c)
  if (!secret) return c.redirect('/dashboard/sign-in', 303)
  c.set('requestsLeft', await limitRequests(c.env, await sha256(secret)))
  const session = await findSession(c.env.DB, secret)
  if (!session) {
    // Runs after the look-up, so that other people's failures cannot end a valid session.
    await limitFailures(c, 'session')
    return c.redirect('/dashboard/sign-in', 303)
  }
  c.set('session', session)
  await next()
})

/** Loads the user's membership of the organisation in the path, or responds with 404. */
export const requireMembership = createMiddleware<DatabaseEnv, '/:organisation/*'>(
  async (c, next) => {
    const organisationId = c.req.param('organisation')
    const { session } = c.var
    const membership = session?.memberships.find(
      (candidate) => candidate.organisationId === organisationId,
    )
    if (!session || !membership) throw new NoMembershipError()
    const { name, person } = session
    const author = { by: 'person', name, through: 'dashboard' } as const
    const database = membership.database ?? 'DB'
    rememberDatabase(organisationId, database)
    const bindings = { ...c.env, DB: openDatabase(c.env, database) }
    const credential = buildPersonCredential(c.env, person, organisationId, author, membership.role)
    const store = new Store(c.env, credential, { share: openShare(c.env, organisationId) })
    c.set('membership', membership)
    c.set('store', store)
    c.set('reads', store)
    c.set('openRecords', recordsOpener(store, c.env))
    const host = hostOf(c.req.url)
    const directory = directoryStore(c.env.DB, organisationId, name)
    c.set('administer', (open) => open({ bindings, store, directory, host }))
    c.set('mail', openMail(c.env))
    c.set('runInBackground', (task) =>
      runInBackground(
        c,
        task.finally(() => notifyWebhooks(c, store)),
      ),
    )
    await next()
    notifyWebhooks(c, store)
  },
)

function readSecret(c: Context): string | undefined {
  const secret = getCookie(c, cookieName, 'host') ?? ''
  return secretPattern.test(secret) ? secret : undefined
}
