import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { formatNumber } from '../../platform/format-number.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { HtmlDocument, Logo } from './document.tsx'
import { isActivePath, itemPath, listVisibleItems, type NavigationItem } from './navigation.ts'
import { overviewPath } from './paths.ts'

type PageProps = { c: Context<DashboardEnv>; title: string; actions?: Child; children?: Child }

/** Renders the frame of every page: organisation, account menu, navigation, title and actions. */
export function Page({ c, title, actions, children }: PageProps) {
  const { session, membership } = c.var
  const items = membership ? listVisibleItems(c) : []
  const current = items.findLast(({ path }) => isActivePath(c, path))
  const homePath = membership ? overviewPath(membership.organisationId) : '/dashboard'
  return (
    <HtmlDocument title={`${title} – ${membership?.organisation ?? 'Data platform'}`}>
      <a class="skip-link" href="#main">
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
        <nav class="main-navigation" aria-label="Main">
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
        <div class="heading-row">
          <h1>{title}</h1>
          {actions && <div class="buttons">{actions}</div>}
        </div>
        {children}
      </main>
    </HtmlDocument>
  )
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
          <button type="submit" class="secondary">
            Sign out
          </button>
        </form>
      </div>
    </details>
  )
}

/** Renders a footer with the number of database rows read for the page. */
export function RowsRead({ c }: { c: Context<DashboardEnv> }) {
  return <footer>{formatNumber(c.var.store.cost.rowsRead)} rows read for this page</footer>
}
