import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Role } from '../auth/memberships.ts'
import type { DashboardEnv } from '../auth/signed-in.ts'
import { ApiError } from '../model/api-error.ts'

/** What pages ask before they offer something: to change records, or to manage keys, people and schemas. */
export type Act = 'write' | 'administer'

const actsOf: Readonly<Record<Role, readonly Act[]>> = {
  reader: [],
  editor: ['write'],
  admin: ['write', 'administer'],
}

/** Whether the person signed in may do this in the organisation of the path. */
export const may = ({ var: { membership } }: Context<DashboardEnv>, act: Act): boolean =>
  membership !== undefined && actsOf[membership.role].includes(act)

/** Lets those pass who may do this; others are told why not. */
export const only = (act: Act, refusal: string) =>
  createMiddleware<DashboardEnv>(async (c, next) => {
    if (!may(c, act)) throw new ApiError('FORBIDDEN', refusal)
    await next()
  })

/** Lets administrators of the organisation pass. */
export const administrators = only(
  'administer',
  'Only administrators of the organisation manage its keys, webhooks, people and schemas.',
)
