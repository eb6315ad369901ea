import type { Hono } from '../../http/hono.ts'
import type { DashboardEnv, SettingsPage } from '../session/signed-in.ts'

type LoadRoutes = () => Promise<{ routes: Hono<DashboardEnv> }>

/** The settings pages in the order of their tabs. Navigation and routes follow from this list. */
export const settingsPages: readonly (SettingsPage & { load: LoadRoutes })[] = [
  {
    name: 'Keys',
    path: '/settings/api-keys',
    action: 'administer',
    load: () => import('./keys/routes.tsx'),
  },
  {
    name: 'People with access',
    path: '/settings/people',
    action: 'administer',
    load: () => import('./people.tsx'),
  },
  {
    name: 'Fields',
    path: '/settings/schema',
    action: 'read',
    load: () => import('./schema/page.tsx'),
  },
  {
    name: 'Public pages',
    path: '/settings/public-pages',
    action: 'administer',
    load: () => import('./public-pages/routes.tsx'),
  },
  {
    name: 'For engineers',
    path: '/settings/webhooks',
    action: 'administer',
    load: () => import('./webhooks/routes.tsx'),
  },
  {
    name: 'Retention',
    path: '/settings/retention',
    action: 'administer',
    load: () => import('./retention.tsx'),
  },
  {
    name: 'Activity',
    path: '/settings/activity',
    action: 'administer',
    load: () => import('./activity.tsx'),
  },
  {
    name: 'Usage',
    path: '/settings/usage',
    action: 'administer',
    load: () => import('./usage.tsx'),
  },
  {
    name: 'Set-up',
    path: '/settings/set-up',
    action: 'administer',
    load: () => import('./set-up/routes.tsx'),
  },
]
