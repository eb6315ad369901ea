import { Hono } from '../http/hono.ts'
import { type LazyEnv, lazyApp } from '../http/lazy.ts'
import { organisationApp } from './page-app.tsx'
import { administrators, editors, everyone, readers, type Visitors } from './session/permissions.ts'
import type { DashboardEnv } from './session/signed-in.ts'
import { settingsPages } from './settings/settings-pages.ts'

/** A section of an organisation's pages: its path below the organisation's, and the members who may open it. */
type Section = {
  path: string
  visitors: Visitors
  load: () => Promise<{ routes: Hono<DashboardEnv> }>
}

/** The sections of the dashboard. */
export const sections: readonly Section[] = [
  { path: '/events', visitors: everyone, load: () => import('./events/routes.tsx') },
  {
    path: '/reports/quality',
    visitors: readers,
    load: () => import('./quality/quality-page.tsx'),
  },
  { path: '/reports/surveys', visitors: readers, load: () => import('./surveys/routes.tsx') },
  { path: '/reports', visitors: readers, load: () => import('./reports/routes.tsx') },
  {
    path: '/views',
    visitors: editors('Your role allows you to open saved views but not to change them.'),
    load: () => import('./views/routes.tsx'),
  },
  { path: '/records', visitors: readers, load: () => import('./records/routes.tsx') },
  { path: '/forms', visitors: readers, load: () => import('./forms/routes.tsx') },
  {
    path: '/import',
    visitors: editors('Your role allows you to read records but not to import them.'),
    load: () => import('./import/routes.ts'),
  },
  {
    path: '/publish-grants',
    visitors: administrators,
    load: () => import('./publish-grants/routes.tsx'),
  },
  { path: '/connect', visitors: readers, load: () => import('./connect/page.tsx') },
  ...settingsPages.map(({ path, action, load }) => ({
    path,
    visitors: action === 'read' ? readers : administrators,
    load,
  })),
]

/** The dashboard. The first request to a section loads its code. */
export const app = new Hono<LazyEnv>()

for (const { path, visitors, load } of sections)
  app.all(
    `/dashboard/:organisation${path}/*`,
    lazyApp(async () => organisationApp(path, visitors, (await load()).routes)),
  )
app.all(
  '/dashboard/*',
  lazyApp(async () => (await import('./other-pages.tsx')).app),
)
