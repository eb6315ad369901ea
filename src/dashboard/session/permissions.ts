import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Role } from '../../auth/memberships.ts'
import { ApiError } from '../../model/api-error.ts'
import type { DashboardEnv } from './signed-in.ts'

/** `write` changes records; `administer` manages keys, webhooks, people and schemas. */
export type Action = 'write' | 'administer'

const actionsByRole: Readonly<Record<Role, readonly Action[]>> = {
  reader: [],
  editor: ['write'],
  admin: ['write', 'administer'],
}

/** Whether the role of the person signed in allows the action. */
export const can = ({ var: { membership } }: Context<DashboardEnv>, action: Action): boolean =>
  membership !== undefined && actionsByRole[membership.role].includes(action)

/** Middleware that answers 403 with the message unless the person's role allows the action. */
export const requireAction = (action: Action, message: string) =>
  createMiddleware<DashboardEnv>(async (c, next) => {
    if (!can(c, action)) throw new ApiError('FORBIDDEN', message)
    await next()
  })

/** Middleware that answers 403 to everyone but administrators. */
export const requireAdministrator = requireAction(
  'administer',
  'Only administrators of the organisation can manage its keys, webhooks, people and schemas.',
)

/** Rejects every request that may change something and does not come from a page of this origin. */
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
