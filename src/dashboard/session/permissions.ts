import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Role } from '../../auth/memberships.ts'
import { ApiError } from '../../model/api-error.ts'
import type { DashboardEnv } from './signed-in.ts'

/** What pages ask before they offer something: to change records, or to manage keys, people and schemas. */
export type Action = 'write' | 'administer'

const actionsByRole: Readonly<Record<Role, readonly Action[]>> = {
  reader: [],
  editor: ['write'],
  admin: ['write', 'administer'],
}

/** Whether the person signed in may do this in the organisation of the path. */
export const can = ({ var: { membership } }: Context<DashboardEnv>, action: Action): boolean =>
  membership !== undefined && actionsByRole[membership.role].includes(action)

/** Lets those pass who may do this; others are told why not. */
export const requireAction = (action: Action, message: string) =>
  createMiddleware<DashboardEnv>(async (c, next) => {
    if (!can(c, action)) throw new ApiError('FORBIDDEN', message)
    await next()
  })

/** Lets administrators of the organisation pass. */
export const requireAdministrator = requireAction(
  'administer',
  'Only administrators of the organisation manage its keys, webhooks, people and schemas.',
)
