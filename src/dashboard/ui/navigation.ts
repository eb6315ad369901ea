import type { Context } from 'hono'
import { collectionNames } from '../../model/collection.ts'
import { toLabel } from '../../model/properties/compile.ts'
import type { Action } from '../session/permissions.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { dashboardPath, overviewPath } from './paths.ts'

/** A navigation link with a path relative to the organisation's. Hidden unless the user may perform `action`. */
export type NavigationItem = { name: string; path: string; action?: Action }

/** A link in the main navigation, with an icon (SVG path data, 24 × 24) and its subpages. */
type MainNavigationItem = NavigationItem & {
  icon: string
  subpages?: readonly NavigationItem[]
}

/** The main navigation in display order. */
export const navigation: readonly MainNavigationItem[] = [
  { name: 'Overview', path: '', action: 'read', icon: 'M4 20V11M10 20V4M16 20v-7M21 20H3' },
  {
    name: 'Records',
    path: '/records',
    action: 'read',
    icon: 'M4 5h16v14H4ZM4 10h16M4 15h16M10 5v14',
    subpages: collectionNames.map((name) => ({ name: toLabel(name), path: `/records/${name}` })),
  },
  {
    name: 'Events',
    path: '/events',
    icon: 'M4 6h16v14H4ZM4 10h16M8 3v5M16 3v5M8 14h3v3H8Z',
  },
  {
    name: 'Forms',
    path: '/forms',
    action: 'read',
    icon: 'M6 3h12v18H6ZM9 8h6M9 12h6M9 16h3',
  },
  {
    name: 'Import',
    path: '/import',
    action: 'write',
    icon: 'M12 4v11M7.5 10.5 12 15l4.5-4.5M4 16v4h16v-4',
  },
  {
    name: 'Connect',
    path: '/connect',
    action: 'read',
    icon: 'M9 4v5M15 4v5M6 9h12v2a6 6 0 0 1-12 0ZM12 17v4',
  },
  {
    name: 'Settings',
    path: '/settings',
    action: 'read',
    icon: 'M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5v5M8 14.5v5',
    subpages: [
      { name: 'API keys', path: '/settings/api-keys', action: 'administer' },
      { name: 'Webhooks', path: '/settings/webhooks', action: 'administer' },
      { name: 'People', path: '/settings/people', action: 'administer' },
      { name: 'Schema', path: '/settings/schema' },
      { name: 'Public pages', path: '/settings/public-pages', action: 'administer' },
      { name: 'Retention', path: '/settings/retention', action: 'administer' },
    ],
  },
]

/** Returns the navigation items that the user may open. Omits an item if all of its subpages are hidden. */
export function listVisibleItems(c: Context<DashboardEnv>): MainNavigationItem[] {
  const isAllowed = ({ action }: NavigationItem) => action === undefined || can(c, action)
  return navigation.filter(isAllowed).flatMap(({ subpages, ...item }) => {
    if (!subpages) return [item]
    const allowed = subpages.filter(isAllowed)
    return allowed.length > 0 ? [{ ...item, subpages: allowed }] : []
  })
}

/** Returns the path of an item, or of its first subpage. */
export function itemPath(
  c: Context<DashboardEnv>,
  { path, subpages }: NavigationItem & Partial<MainNavigationItem>,
): string {
  if (path === '') return overviewPath(c.var.membership?.organisationId ?? '')
  return dashboardPath(c, subpages?.[0]?.path ?? path)
}

/** Returns whether the current page is at or below this path. */
export function isActivePath(c: Context<DashboardEnv>, path: string): boolean {
  const currentPath = new URL(c.req.url).pathname.slice(dashboardPath(c).length)
  return path === ''
    ? ['', '/overview'].includes(currentPath)
    : `${currentPath}/`.startsWith(`${path}/`)
}
