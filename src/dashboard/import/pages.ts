import { Hono } from 'hono'
import { requireAction } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'

/** Files as they come, imported in a conversation; for whoever may write. What reads them is loaded when it is first asked for. */
export const importRoutes = new Hono<DashboardEnv>()
  .use(requireAction('write', 'You may look at records here, and not import any.'))
  .get('/', async (c) => (await import('./conversation.tsx')).renderFilePage(c))
  .post('/', async (c) => (await import('./conversation.tsx')).handleStep(c))
