import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { dashboardPages } from '../../model/organisation-id.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { HtmlDocument } from './document.tsx'
import { type MainNavigationItem, type NavigationItem, navigation } from './navigation.ts'

type PageProps = { c: Context<DashboardEnv>; title: string; actions?: Child; children?: Child }

/** The frame of every page: organisation, account menu, navigation, title and actions. */
export function Page({ c, title, actions, children }: PageProps) {
  const { session, membership } = c.var
  const items = membership ? listVisibleItems(c) : []
  const current = items.findLast(({ path }) => isActivePath(c, path))
  const homePath = membership ? overviewPath(membership.organisationId) : '/dashboard'
  return (
    <HtmlDocument title={`${title} – ${membership?.organisation ?? 'Data platform'}`}>
      <a class="skip" href="#main">
        Skip to main content
      </a>
      <header>
        <a class="brand" href={homePath}>
          <Logo />
          <strong>{membership?.organisation ?? 'Data platform'}</strong>
        </a>
        {session && (
          <Account name={session.name} hasOtherOrganisations={session.memberships.length > 1} />
        )}
      </header>
      {items.length > 0 && (
        <nav class="places" aria-label="Main">
          <ul>
            {items.map((item) => (
              <li>
                <a href={itemPath(c, item)} aria-current={item === current ? 'page' : undefined}>
                  <svg viewBox="0 0 24 24" aria-hidden="true">
                    <path d={item.icon} />
                  </svg>
                  {item.name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <main id="main">
        {current?.subpages && <Subnavigation c={c} name={current.name} items={current.subpages} />}
        <div class="head">
          <h1>{title}</h1>
          {actions && <div class="acts">{actions}</div>}
        </div>
        {children}
      </main>
    </HtmlDocument>
  )
}

/** The navigation items that the person may open. An item with subpages is hidden if none of them is allowed. */
function listVisibleItems(c: Context<DashboardEnv>): MainNavigationItem[] {
  const isAllowed = ({ action }: NavigationItem) => action === undefined || can(c, action)
  return navigation.filter(isAllowed).flatMap(({ subpages, ...item }) => {
    if (!subpages) return [item]
    const allowed = subpages.filter(isAllowed)
    return allowed.length > 0 ? [{ ...item, subpages: allowed }] : []
  })
}

function Subnavigation({
  c,
  name,
  items,
}: {
  c: Context<DashboardEnv>
  name: string
  items: readonly NavigationItem[]
}) {
  return (
    <nav aria-label={name}>
      <ul class="tabs">
        {items.map((item) => (
          <li>
            <a
              href={itemPath(c, item)}
              aria-current={isActivePath(c, item.path) ? 'page' : undefined}
            >
              {item.name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Account({
  name,
  hasOtherOrganisations,
}: {
  name: string
  hasOtherOrganisations: boolean
}) {
  return (
    <details class="menu">
      <summary aria-label={`Account of ${name}`}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20a7.5 7.5 0 0 1 15 0" />
        </svg>
        <span>{name}</span>
      </summary>
      <div>
        <small>{name}</small>
        {hasOtherOrganisations && <a href="/dashboard">Switch organisation</a>}
        <a href="/docs">Guide to the API</a>
        <form method="post" action="/dashboard/sign-out">
          <button type="submit" class="plain">
            Sign out
          </button>
        </form>
      </div>
    </details>
  )
}

/** The logo: a stack of records. */
export function Logo() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4 6c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3ZM4 6v6c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12v6c0 1.7 3.6 3 8 3s8-1.3 8-3v-6" />
    </svg>
  )
}

function itemPath(
  c: Context<DashboardEnv>,
  { path, subpages }: NavigationItem & Partial<MainNavigationItem>,
): string {
  if (path === '') return overviewPath(c.var.membership?.organisationId ?? '')
  return dashboardPath(c, subpages?.[0]?.path ?? path)
}

/** Whether the current page is at this path or below it. */
function isActivePath(c: Context<DashboardEnv>, path: string): boolean {
  const currentPath = new URL(c.req.url).pathname.slice(dashboardPath(c).length)
  return path === ''
    ? ['', '/overview'].includes(currentPath)
    : `${currentPath}/`.startsWith(`${path}/`)
}

type ScrollRegionProps = { label: string; isNarrow?: boolean; isStacked?: boolean; children: Child }

/** Lets a wide table scroll on its own, with the keyboard too. A stacked table becomes cards on a phone. */
export function ScrollRegion({ label, isNarrow, isStacked, children }: ScrollRegionProps) {
  return (
    <section
      class={['wide', isNarrow && 'narrow', isStacked && 'stack'].filter(Boolean).join(' ')}
      tabindex={0}
      aria-label={label}
    >
      {children}
    </section>
  )
}

/** The path of an organisation's pages. */
const organisationPath = (organisationId: string) =>
  `/dashboard/${encodeURIComponent(organisationId)}`

/** The path of a page of the current organisation. */
export const dashboardPath = (c: Context<DashboardEnv>, path = '') =>
  organisationPath(c.var.membership?.organisationId ?? '') + path

/** The path of API keys in the settings. */
export const keysPath = (c: Context<DashboardEnv>) => dashboardPath(c, '/settings/api-keys')

/** The path of webhooks in the settings. */
export const webhooksPath = (c: Context<DashboardEnv>) => dashboardPath(c, '/settings/webhooks')

/** The path of an organisation's overview. Older organisations may have the id of a page; theirs ends with `/overview`. */
export const overviewPath = (organisationId: string) =>
  organisationPath(organisationId) + (dashboardPages.includes(organisationId) ? '/overview' : '')
