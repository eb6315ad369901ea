import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { hashOf } from '../auth/api-key.ts'
import { countFailure, countRequest } from '../auth/limits.ts'
import {
  endSession,
  findSession,
  type Session,
  type SessionMembership,
  sessionSeconds,
  startSession,
} from '../auth/sessions.ts'
import type { Person } from '../auth/token.ts'
import type { Env } from '../env.ts'
import { ApiError } from '../http/errors.ts'

/** Hono's environment on the dashboard: who is signed in, and their membership of the organisation of the path. */
export type DashboardEnv = {
  Bindings: Env['Bindings']
  Variables: Env['Variables'] & { session?: Session; membership?: SessionMembership }
}

const cookie = 'session'
// `__Host-`: for this host alone, by TLS alone. Lax, so that the way back from the provider keeps it.
const attributes = {
  prefix: 'host',
  path: '/',
  secure: true,
  httpOnly: true,
  sameSite: 'Lax',
} as const

/** Signs a person in on this browser. */
export async function beginSession(c: Context, person: Person, name: string): Promise<void> {
  const secret = await startSession(c.env.DB, person, name)
  setCookie(c, cookie, secret, { ...attributes, maxAge: sessionSeconds })
}

/** Signs out; the session is of no use to anyone who has copied the cookie. */
export async function leaveSession(c: Context): Promise<void> {
  const secret = getCookie(c, cookie, 'host')
  if (secret) await endSession(c.env.DB, secret)
  deleteCookie(c, cookie, attributes)
}

/** Finds who is signed in, or sends the browser to sign in. */
export const signedIn = createMiddleware<DashboardEnv>(async (c, next) => {
  const secret = getCookie(c, cookie, 'host')
  if (!secret) return c.redirect('/dashboard/sign-in', 303)
  await countRequest(c, await hashOf(secret))
  const session = await findSession(c.env.DB, secret)
  if (!session) {
    await countFailure(c)
    return c.redirect('/dashboard/sign-in', 303)
  }
  c.set('session', session)
  await next()
})

/** Lets those pass who belong to the organisation of the path; to others there is nothing here. */
export const ofOrganisation = createMiddleware<DashboardEnv, '/:organisation/*'>(
  async (c, next) => {
    const organisationId = c.req.param('organisation')
    const membership = c.var.session?.memberships.find(
      (one) => one.organisationId === organisationId,
    )
    if (!membership) throw new ApiError('NOT_FOUND', 'There is nothing here for you.')
    c.set('membership', membership)
    await next()
  },
)

/** Lets administrators of the organisation pass. */
export const administrators = createMiddleware<DashboardEnv>(async (c, next) => {
  if (c.var.membership?.role !== 'admin')
    throw new ApiError('FORBIDDEN', 'Only administrators of the organisation manage its keys.')
  await next()
})
