import type { Context } from 'hono'
import type { Role } from '../auth/memberships.ts'
import type { DashboardEnv } from '../auth/signed-in.ts'

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
