import { Hono } from 'hono'
import { requireAdministrator } from '../session/permissions.ts'
import type { DashboardEnv, SettingsPage } from '../session/signed-in.ts'
import { renderActivityPage } from './activity.tsx'
import { keyRoutes } from './keys/routes.tsx'
import { peopleRoutes } from './people.tsx'
import { publicPagesRoutes } from './public-pages/routes.tsx'
import { retentionRoutes } from './retention.tsx'
import { schemaRoutes } from './schema/page.tsx'
import { renderUsagePage } from './usage.tsx'
import { webhookRoutes } from './webhooks/routes.tsx'

const onePage = (render: typeof renderUsagePage) => new Hono<DashboardEnv>().get('/', render)

/** The settings pages in the order of their tabs. Navigation and routes follow from this list. */
export const settingsPages: readonly (SettingsPage & { routes: Hono<DashboardEnv> })[] = [
  { name: 'API keys', path: '/settings/api-keys', action: 'administer', routes: keyRoutes },
  {
    name: 'People with access',
    path: '/settings/people',
    action: 'administer',
    routes: peopleRoutes,
  },
  // Administrators change the schema.
  { name: 'Schema', path: '/settings/schema', action: 'read', routes: schemaRoutes },
  {
    name: 'Public pages',
    path: '/settings/public-pages',
    action: 'administer',
    routes: publicPagesRoutes,
  },
  { name: 'Webhooks', path: '/settings/webhooks', action: 'administer', routes: webhookRoutes },
  { name: 'Retention', path: '/settings/retention', action: 'administer', routes: retentionRoutes },
  {
    name: 'Activity',
    path: '/settings/activity',
    action: 'administer',
    routes: onePage(renderActivityPage),
  },
  {
    name: 'Usage',
    path: '/settings/usage',
    action: 'administer',
    routes: onePage(renderUsagePage),
  },
]

/** The routes of the settings pages: first the pages of all users, then a check for administrators and theirs. */
export const settingsRoutes = new Hono<DashboardEnv>()
for (const { path, action, routes } of settingsPages)
  if (action === 'read') settingsRoutes.route(path, routes)
settingsRoutes.use('/settings/*', requireAdministrator)
for (const { path, action, routes } of settingsPages)
  if (action === 'administer') settingsRoutes.route(path, routes)
