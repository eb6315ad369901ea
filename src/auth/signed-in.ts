import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import type { HttpEnv } from '../http/env.ts'
import { ApiError } from '../model/api-error.ts'
import type { Bindings } from '../platform/bindings.ts'
import { sha256 } from '../platform/sha256.ts'
import { Records } from '../records/records.ts'
import { Store } from '../store/store.ts'
import { hostOf } from '../webhooks/address.ts'
import {
  type OrganisationWebhooks,
  organisationWebhooks,
} from '../webhooks/organisation-webhooks.ts'
import { afterwards, tellWebhooks } from './afterwards.ts'
import type { Env } from './env.ts'
import { countFailure, countRequest } from './limits.ts'
import { claimMemberships } from './memberships.ts'
import { type OrganisationImports, organisationImports } from './organisation-imports.ts'
import { type OrganisationKeys, organisationKeys } from './organisation-keys.ts'
import { type OrganisationPeople, organisationPeople } from './organisation-people.ts'
import { type OrganisationSchemas, organisationSchemas } from './organisation-schemas.ts'
import { personCredential } from './person-credential.ts'
import type { LocalProvider } from './provider.ts'
import {
  endSession,
  findSession,
  type Session,
  type SessionMembership,
  sessionSeconds,
  startSession,
} from './sessions.ts'
import type { Person } from './token.ts'

/** Hono's environment on the dashboard: the browser's session, and behind `ofOrganisation` what may be done for the organisation of the path. */
export type DashboardEnv = {
  Bindings: HttpEnv['Bindings'] & LocalProvider
  Variables: Env['Variables'] & {
    browser: Browser
    session?: Session
    membership?: SessionMembership
    imports: OrganisationImports
    /** Lets what writes records go on while its answer is sent, and has webhooks told of it. */
    goOn(work: Promise<unknown>): void
    keys: OrganisationKeys
    people: OrganisationPeople
    schemas: OrganisationSchemas
    webhooks: OrganisationWebhooks
  }
}

type DatabaseEnv = { Bindings: Bindings & LocalProvider; Variables: DashboardEnv['Variables'] }

/** Signs a person in on the browser that asks, or out again. */
type Browser = {
  signIn(person: Person, name: string): Promise<void>
  /** The session is then of no use to anyone who has copied the cookie. */
  signOut(): Promise<void>
}

const cookie = 'session'
const form = /^[0-9a-f]{64}$/

/** How cookies are set: `__Host-`, so for this host alone and by TLS alone; Lax, so that the way back from the provider keeps them. */
export const attributes = {
  prefix: 'host',
  path: '/',
  secure: true,
  httpOnly: true,
  sameSite: 'Lax',
} as const

/** Lets pages sign the browser in and out. */
export const withBrowser = createMiddleware<DatabaseEnv>(async (c, next) => {
  const { DB } = c.env
  c.set('browser', {
    async signIn(person, name) {
      const before = secretOf(c)
      if (before) await endSession(DB, before)
      await claimMemberships(DB, person)
      const secret = await startSession(DB, person, name)
      setCookie(c, cookie, secret, { ...attributes, maxAge: sessionSeconds })
    },
    async signOut() {
      const secret = secretOf(c)
      if (secret) {
        const isEnded = await endSession(DB, secret)
        if (!isEnded) await countFailure(c, 'session')
      }
      deleteCookie(c, cookie, attributes)
    },
  })
  await next()
})

/** Finds who is signed in, or sends the browser to sign in. */
export const signedIn = createMiddleware<DatabaseEnv>(async (c, next) => {
  const secret = secretOf(c)
  if (!secret) return c.redirect('/dashboard/sign-in', 303)
  await countRequest(c.env, await sha256(secret))
  const session = await findSession(c.env.DB, secret)
  if (!session) {
    // Not before the look-up of one row: the failures of others must not end a session.
    await countFailure(c, 'session')
    return c.redirect('/dashboard/sign-in', 303)
  }
  c.set('session', session)
  await next()
})

/** Lets those pass who belong to the organisation of the path; to others there is nothing here. */
export const ofOrganisation = createMiddleware<DatabaseEnv, '/:organisation/*'>(async (c, next) => {
  const organisationId = c.req.param('organisation')
  const { session } = c.var
  const membership = session?.memberships.find((one) => one.organisationId === organisationId)
  if (!session || !membership) throw new ApiError('NOT_FOUND', 'There is nothing here for you.')
  const { name, person } = session
  const author = { by: 'person', name, through: 'dashboard' } as const
  const store = new Store(c.env.DB, personCredential(c.env.DB, person, organisationId, author))
  c.set('membership', membership)
  c.set('store', store)
  c.set('reads', store)
  c.set('records', new Records(store, c.env.GEOGRAPHY, c.env.KEYS))
  c.set('imports', organisationImports(c.env.DB, organisationId, author))
  c.set('keys', organisationKeys(c.env, organisationId, name))
  c.set('people', organisationPeople(c.env.DB, organisationId, name))
  c.set('schemas', organisationSchemas(c.env.DB, store, name))
  c.set('webhooks', organisationWebhooks(c.env, organisationId, name, hostOf(c.req.url)))
  c.set('goOn', (work) =>
    afterwards(
      c,
      work.finally(() => tellWebhooks(c, store)),
    ),
  )
  await next()
  tellWebhooks(c, store)
})

function secretOf(c: Context): string | undefined {
  const secret = getCookie(c, cookie, 'host') ?? ''
  return form.test(secret) ? secret : undefined
}
