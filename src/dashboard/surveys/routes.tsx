import { Hono } from '../../http/hono.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { renderSurveysPage } from './surveys-page.tsx'

/** The page that lists the forms with results. */
export const routes = new Hono<DashboardEnv>().get('/', (c) => renderSurveysPage(c))
