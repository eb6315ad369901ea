import type { Context } from 'hono'
import { collectionLabel } from '../../model/collection.ts'
import { can, type UserAction } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import type { IconName } from './icon.tsx'
import { dashboardPath } from './paths.ts'

/** A navigation link with a path relative to the organisation's. Hidden unless the user may perform `action`. */
type NavigationItem = { name: string; path: string; action?: UserAction }

/** A link in the main navigation. Its subpages are the tabs of the section. */
type MainNavigationItem = NavigationItem & {
  icon: IconName
  /** Whether space separates the item from those above. */
  isApart?: boolean
  subpages?: readonly NavigationItem[]
}

const readable = (name: string, path: string): NavigationItem => ({ name, path, action: 'read' })

/** The list of a collection's records. */
const records = (collection: string) =>
  readable(collectionLabel(collection), `/records/${collection}`)

/** The main navigation in display order, without the settings: a phone's bottom bar holds the first four items. */
const navigation: readonly MainNavigationItem[] = [
  {
    name: 'People',
    path: '/records/members',
    action: 'read',
    icon: 'people',
    subpages: [records('members'), records('volunteers'), records('partners')],
  },
  {
    name: 'Events',
    path: '/events',
    icon: 'events',
    subpages: [
      { name: 'Calendar', path: '/events' },
      readable('All events', '/records/events'),
      readable('Series', '/records/series'),
      records('bookings'),
    ],
  },
  {
    name: 'Forms',
    path: '/forms',
    action: 'read',
    icon: 'forms',
    subpages: [
      readable('Forms', '/forms'),
      readable('Form list', '/records/forms'),
      records('survey-responses'),
    ],
  },
  { ...records('case-notes'), icon: 'notes' },
  {
    name: 'Grants',
    path: '/records/grant-applications',
    action: 'read',
    icon: 'grants',
    subpages: [
      records('grant-applications'),
      records('disbursements'),
      records('funds'),
      { name: 'Publish grants', path: '/publish-grants', action: 'administer' },
    ],
  },
  {
    name: 'Import',
    path: '/import',
    action: 'write',
    icon: 'import',
    isApart: true,
    subpages: [
      { name: 'Import a file', path: '/import', action: 'write' },
      { name: 'Imports', path: '/import/done', action: 'write' },
    ],
  },
  {
    name: 'Reports',
    path: '/reports',
    action: 'read',
    icon: 'reports',
    subpages: [
      readable('Reports', '/reports'),
      readable('Surveys', '/reports/surveys'),
      readable('Annual return', '/reports/annual-return'),
      readable('Quality of the data', '/reports/quality'),
    ],
  },
  { name: 'Connect', path: '/connect', action: 'read', icon: 'connect', isApart: true },
]

/** The navigation items that the user may open, each with the subpages that the user may open. */
export function listVisibleItems(c: Context<DashboardEnv>): MainNavigationItem[] {
  const isAllowed = ({ action }: NavigationItem) => action === undefined || can(c, action)
  const settings: MainNavigationItem = {
    name: 'Settings',
    path: '/settings',
    action: 'read',
    icon: 'settings',
    // Pages ask often, and `c.var` would copy all variables each time.
    subpages: c.get('settingsPages'),
  }
  return [...navigation, settings]
    .filter(isAllowed)
    .map((item) => ({ ...item, subpages: item.subpages?.filter(isAllowed) ?? [] }))
}

/** The path of an item, which is that of its first subpage. */
export const itemPath = (
  c: Context<DashboardEnv>,
  { path, subpages }: NavigationItem & Partial<MainNavigationItem>,
): string => dashboardPath(c, subpages?.[0]?.path ?? path)

/** The item of the current page: the last with the page's path or one above it, itself or in a subpage. */
export function findCurrentItem(c: Context<DashboardEnv>): MainNavigationItem | undefined {
  const current = sectionPath(c)
  return listVisibleItems(c).findLast((item) =>
    [item, ...(item.subpages ?? [])].some(({ path }) => isBelow(current, path)),
  )
}

/** Whether the current page has this path or, in the settings, is below it. */
export const isActivePath = (c: Context<DashboardEnv>, path: string): boolean =>
  path.startsWith('/settings') ? isBelow(currentPath(c), path) : currentPath(c) === path

const currentPath = (c: Context<DashboardEnv>) =>
  new URL(c.req.url).pathname.slice(dashboardPath(c).length)

// Pages such as `/records/new/members` and `/records/search` belong to the section of their records.
const sectionPath = (c: Context<DashboardEnv>) =>
  currentPath(c)
    .replace(/^\/records\/(new|duplicates|pick)\//, '/records/')
    .replace(/^\/records\/search$/, '/records/members')

const isBelow = (path: string, parent: string) => `${path}/`.startsWith(`${parent}/`)
