import { Hono } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { only } from '../may.ts'

/** Files as they come, imported in a conversation; for whoever may write. What reads them is loaded when it is first asked for. */
export const importPages = new Hono<DashboardEnv>()
  .use(only('write', 'You may look at records here, and not import any.'))
  .get('/', async (c) => (await import('./conversation.tsx')).filePage(c))
  .post('/', async (c) => (await import('./conversation.tsx')).takeStep(c))
