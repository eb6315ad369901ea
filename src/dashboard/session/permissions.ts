import type { Context, MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Role } from '../../access/roles.ts'
import { ApiError } from '../../model/api-error.ts'
import type { DashboardEnv } from './signed-in.ts'

/** `read` opens every page but registers; `write` changes records; `administer` manages keys, webhooks, people and schemas. */
export type UserAction = 'read' | 'take-registers' | 'write' | 'administer'

const actionsByRole: Readonly<Record<Role, readonly UserAction[]>> = {
  steward: ['take-registers'],
  reader: ['read'],
  'reader-without-contact-details': ['read'],
  editor: ['read', 'take-registers', 'write'],
  admin: ['read', 'take-registers', 'write', 'administer'],
}

/** Returns whether the user's role allows the action. */
export function can(c: Context<DashboardEnv>, action: UserAction): boolean {
  // Pages ask often, and \`c.var\` would copy all variables each time.
  const membership = c.get('membership')
  return membership !== undefined && actionsByRole[membership.role].includes(action)
}

/** Returns middleware that responds with 403 unless the user's role allows the action. */
export const requireAction = (action: UserAction, message: string) =>
  createMiddleware<DashboardEnv>(async (c, next) => {
    if (!can(c, action)) throw new ApiError('FORBIDDEN', message)
    await next()
  })

/** Responds with 403 to stewards. */
export const requireReader = requireAction(
  'read',
  'Your role allows you to take the registers of events, and nothing else.',
)

/** Responds with 403 unless the user is an administrator. */
export const requireAdministrator = requireAction(
  'administer',
  'Only administrators of the organisation can manage its keys, fields and people.',
)

/** The members of an organisation who may open a section: middleware that responds with 403 to the others. */
export type Visitors = readonly MiddlewareHandler<DashboardEnv>[]

export const everyone: Visitors = []
export const readers: Visitors = [requireReader]
export const editors = (message: string): Visitors => [
  requireReader,
  requireAction('write', message),
]
export const administrators: Visitors = [requireReader, requireAdministrator]

/** Rejects state-changing requests from other origins. */
export const requireSameOrigin = createMiddleware(async ({ req }, next) => {
  const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(req.method)
  const isSameOrigin =
    req.header('Sec-Fetch-Site') === 'same-origin' ||
    req.header('Origin') === new URL(req.url).origin
  if (!isSafe && !isSameOrigin) {
    throw new ApiError('FORBIDDEN', 'This form was not sent from the dashboard.')
  }
  await next()
})
