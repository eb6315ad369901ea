import { Hono } from 'hono'
import type { DashboardEnv } from '../session/signed-in.ts'
import { renderAnnualReturn } from './annual-return-page.tsx'
import { downloadAnnualReturn, downloadReport } from './download.ts'
import { renderNotMarkedPage } from './not-marked-page.tsx'
import { renderPeoplePage } from './people-page.tsx'
import { renderReportPage } from './report-page.tsx'
import { renderReportsPage } from './reports-page.tsx'

/** The reports: ready ones, saved ones, and the page that counts and groups any collection. */
export const routes = new Hono<DashboardEnv>()
  .get('/', (c) => renderReportsPage(c))
  .get('/view', (c) => renderReportPage(c))
  .get('/not-marked', (c) => renderNotMarkedPage(c))
  .get('/people', (c) => renderPeoplePage(c))
  .get('/annual-return', (c) => renderAnnualReturn(c))
  .get('/annual-return/xlsx', (c) => downloadAnnualReturn(c))
  .get('/csv', (c) => downloadReport(c, 'csv'))
  .get('/xlsx', (c) => downloadReport(c, 'xlsx'))
