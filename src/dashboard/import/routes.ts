import { Hono } from '../../http/hono.ts'
import type { DashboardEnv } from '../session/signed-in.ts'

/** The import pages. Each loads its code with the first request. */
export const routes = new Hono<DashboardEnv>()
  .get('/', async (c) => (await import('./handle-step.tsx')).renderFilePage(c))
  .post('/', async (c) => (await import('./handle-step.tsx')).handleStep(c))
  .get('/done', async (c) => (await import('./imports-page.tsx')).renderImportsPage(c))
  .get('/done/:id', async (c) => (await import('./stored-import-page.tsx')).renderImportPage(c))
  .post('/done/:id/undo', async (c) => (await import('./stored-import-page.tsx')).undo(c))
