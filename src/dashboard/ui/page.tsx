import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { dashboardPages } from '../../model/organisation-id.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { HtmlDocument } from './document.tsx'
import { type MainNavigationItem, type NavigationItem, navigation } from './navigation.ts'

type PageProps = { c: Context<DashboardEnv>; title: string; actions?: Child; children?: Child }

/** Every page's frame: whose it is, the places there are with the current one marked, what the page is called, and what may be done beside its title. */
export function Page({ c, title, actions, children }: PageProps) {
  const { session, membership } = c.var
  const items = membership ? listVisibleItems(c) : []
  const current = items.findLast(({ path }) => isActivePath(c, path))
  const homePath = membership ? overviewPath(membership.organisationId) : '/dashboard'
  return (
    <HtmlDocument title={`${title} – ${membership?.organisation ?? 'Data platform'}`}>
      <a class="skip" href="#main">
        Skip to the content
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

/** The places that the person signed in may go to; one that leads on to others only with those. */
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
        {hasOtherOrganisations && <a href="/dashboard">Another organisation</a>}
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

/** The mark of the platform: records, one above the other. */
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

/** Whether the page asked for is this place or below it. */
function isActivePath(c: Context<DashboardEnv>, path: string): boolean {
  const currentPath = new URL(c.req.url).pathname.slice(dashboardPath(c).length)
  return path === ''
    ? ['', '/overview'].includes(currentPath)
    : `${currentPath}/`.startsWith(`${path}/`)
}

type ScrollRegionProps = { label: string; isNarrow?: boolean; isStacked?: boolean; children: Child }

/** A table wider than the window scrolls by itself, for the keyboard too; a stacked one becomes cards on a phone. */
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

/** Where an organisation's pages are. */
const organisationPath = (organisationId: string) =>
  `/dashboard/${encodeURIComponent(organisationId)}`

/** Where a page of the organisation that is looked at is. */
export const dashboardPath = (c: Context<DashboardEnv>, path = '') =>
  organisationPath(c.var.membership?.organisationId ?? '') + path

/** Where its keys are managed. */
export const keysPath = (c: Context<DashboardEnv>) => dashboardPath(c, '/settings/api-keys')

/** Where its webhooks are managed. */
export const webhooksPath = (c: Context<DashboardEnv>) => dashboardPath(c, '/settings/webhooks')

/** Where an organisation's overview is: below its path, if it was given the name of a page before that was refused. */
export const overviewPath = (organisationId: string) =>
  organisationPath(organisationId) + (dashboardPages.includes(organisationId) ? '/overview' : '')
