import { Hono } from '../../http/hono.ts'
import type { DashboardEnv } from '../session/signed-in.ts'

/** The reports: ready ones, saved ones, and the page that counts and groups any collection. Each page loads its code with the first request. */
export const routes = new Hono<DashboardEnv>()
  .get('/', async (c) => (await import('./reports-page.tsx')).renderReportsPage(c))
  .get('/view', async (c) => (await import('./report-page.tsx')).renderReportPage(c))
  .get('/not-marked', async (c) => (await import('./not-marked-page.tsx')).renderNotMarkedPage(c))
  .get('/people', async (c) => (await import('./people-page.tsx')).renderPeoplePage(c))
  .get('/annual-return', async (c) =>
    (await import('./annual-return-page.tsx')).renderAnnualReturn(c),
  )
  .get('/annual-return/xlsx', async (c) => (await import('./download.ts')).downloadAnnualReturn(c))
  .get('/csv', async (c) => (await import('./download.ts')).downloadReport(c, 'csv'))
  .get('/xlsx', async (c) => (await import('./download.ts')).downloadReport(c, 'xlsx'))
  .get('/svg', async (c) => (await import('./chart-image.tsx')).downloadChart(c))
