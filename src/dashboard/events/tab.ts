import type { Context } from 'hono'
import type { DashboardEnv } from '../session/signed-in.ts'

const registerTabs = ['booked', 'to-mark', 'waiting'] as const

/** The parts of a register. */
export type RegisterTab = (typeof registerTabs)[number]

/** The tab in the address of the page, and of the forms that lead back to it. */
export const currentTab = (c: Context<DashboardEnv>): RegisterTab =>
  registerTabs.find((tab) => tab === c.req.query('tab')) ?? 'booked'

/** The query of a tab. */
export const tabQuery = (tab: RegisterTab) => (tab === 'booked' ? '' : `?tab=${tab}`)
