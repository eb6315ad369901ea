import type { Context } from 'hono'
import type { DashboardEnv } from '../auth/signed-in.ts'

/** What pages ask before they offer something: to change records, or to manage keys, people and schemas. */
export type Act = 'write' | 'administer'

/** Whether the person signed in may do this in the organisation of the path. */
export const may = ({ var: { membership } }: Context<DashboardEnv>, _act: Act): boolean =>
  membership?.role === 'admin'
