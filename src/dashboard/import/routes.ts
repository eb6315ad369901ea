import { Hono } from 'hono'
import { requireAction } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'

/** The import pages, for users who may write. Their modules load with the first request. */
export const importRoutes = new Hono<DashboardEnv>()
  .use(requireAction('write', 'Your role allows you to read records but not to import them.'))
  .get('/', async (c) => (await import('./handle-step.tsx')).renderFilePage(c))
  .post('/', async (c) => (await import('./handle-step.tsx')).handleStep(c))
  .get('/done', async (c) => (await import('./imports-page.tsx')).renderImportsPage(c))
  .get('/done/:id', async (c) => (await import('./stored-import-page.tsx')).renderImportPage(c))
  .post('/done/:id/undo', async (c) => (await import('./stored-import-page.tsx')).undo(c))
