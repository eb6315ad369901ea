import { Hono } from 'hono'
import type { DashboardEnv } from '../session/signed-in.ts'
import { renderResultsPage } from './results-page.tsx'
import { renderSurveysPage } from './surveys-page.tsx'

/** The pages with the results of forms. */
export const routes = new Hono<DashboardEnv>()
  .get('/', (c) => renderSurveysPage(c))
  .get('/:formId', (c) => renderResultsPage(c))
