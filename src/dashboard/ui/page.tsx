import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { warnAfterMs, warningMinutes } from '../../auth/sessions.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { ActionButton } from './button.tsx'
import { Brand, HtmlDocument, SimplePage, SkipLink } from './document.tsx'
import { Icon } from './icon.tsx'
import { findCurrentItem, isActivePath, itemPath, listVisibleItems } from './navigation.ts'
import { dashboardPath, homePath } from './paths.ts'
import { TrialBanner } from './trial-banner.tsx'

type PageProps = {
  c: Context<DashboardEnv>
  title: string
  /** The initials of the person whom the page shows. */
  avatar?: string
  /** Links to the pages above this one. */
  crumbs?: readonly { name: string; href: string }[]
  /** One or two lines below the title. */
  lead?: Child
  /** The page's buttons: at most one `.primary`, rare ones in a menu. */
  actions?: Child
  /** Replaces the tabs of the section; only its main pages show those by default. */
  tabs?: readonly Tab[]
  children?: Child
}

/** Renders the frame of every page: navigation, tabs, title and actions. */
export function Page({ c, title, avatar, crumbs = [], lead, actions, tabs, children }: PageProps) {
  const { session, membership } = c.var
  if (!session || !membership)
    return (
      <SimplePage
        title={`${title} – Data platform`}
        heading={title}
        links={session && <Account name={session.name} hasOtherOrganisations={false} />}
      >
        <TrialBanner env={c.env} />
        {children}
      </SimplePage>
    )
  const shownTabs = tabs ?? listSectionTabs(c)
  return (
    <HtmlDocument title={`${title} – ${membership.organisation}`}>
      <body>
        <SkipLink />
        <header class="side">
          <Brand name={membership.organisation} href={homePath(membership.organisationId)} />
          {can(c, 'read') && (
            <a class="button find" href={dashboardPath(c, '/records/search')}>
              <Icon name="search" />
              <span>Search</span>
            </a>
          )}
          <MainNavigation c={c} />
          <Account name={session.name} hasOtherOrganisations={session.memberships.length > 1} />
        </header>
        <main class="page" id="main">
          <EndingSession />
          <TrialBanner env={c.env} />
          {crumbs.length > 0 && <Crumbs crumbs={crumbs} />}
          <div class={lead ? 'head' : 'head tight'}>
            <div class={avatar && 'with-avatar'}>
              {avatar && (
                <span class="avatar" aria-hidden="true">
                  {avatar}
                </span>
              )}
              <div>
                <h1>{title}</h1>
                {lead && <p>{lead}</p>}
              </div>
            </div>
            {actions && <div class="actions">{actions}</div>}
          </div>
          {shownTabs.length > 1 && (
            <Tabs label={findCurrentItem(c)?.name ?? title} tabs={shownTabs} />
          )}
          {children}
        </main>
      </body>
    </HtmlDocument>
  )
}

/** The warning before a session without use ends, which the script shows in time. */
const EndingSession = () => (
  <div role="alert" class="notice warn ending" data-ending-session={warnAfterMs} hidden>
    <p>
      You will be signed out in {warningMinutes} minutes, because you have not opened a page for a
      while.
    </p>
    <button type="button" class="button">
      Stay signed in
    </button>
  </div>
)

const itemsInPhoneBar = 4

/** Renders the navigation. A phone shows the items after the first four while the empty `details` is open. */
function MainNavigation({ c }: { c: Context<DashboardEnv> }) {
  const items = listVisibleItems(c)
  const current = findCurrentItem(c)
  return (
    <nav class="nav" aria-label="Main">
      <ul>
        {items.map((item, index) => (
          <>
            {index === itemsInPhoneBar && (
              <li class="more">
                <details>
                  <summary>
                    <Icon name="more" />
                    More
                  </summary>
                </details>
              </li>
            )}
            <li
              class={
                [index >= itemsInPhoneBar && 'rest', item.isApart && 'gap']
                  .filter(Boolean)
                  .join(' ') || undefined
              }
            >
              <a
                href={itemPath(c, item)}
                aria-current={item.name === current?.name ? 'page' : undefined}
              >
                <Icon name={item.icon} />
                {item.name}
              </a>
            </li>
          </>
        ))}
      </ul>
    </nav>
  )
}

/** A link to a page of the same section, or to a saved view. */
export type Tab = {
  name: string
  href: string
  isCurrent: boolean
  count?: number | undefined
  /** Whether a line separates the tab from those before it. */
  isApart?: boolean
}

/** Renders tabs. They scroll on a phone. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ name, href, isCurrent, count, isApart }) => (
        <>
          {isApart && <span class="rule" />}
          <a href={href} aria-current={isCurrent ? 'page' : undefined}>
            {name} {count !== undefined && <span>{formatNumber(count)}</span>}
          </a>
        </>
      ))}
    </nav>
  )
}

/** The tabs of the current section, if the current page is one of them. */
export function listSectionTabs(c: Context<DashboardEnv>): Tab[] {
  const tabs = (findCurrentItem(c)?.subpages ?? []).map((subpage) => ({
    name: subpage.name,
    href: itemPath(c, subpage),
    isCurrent: isActivePath(c, subpage.path),
  }))
  return tabs.some(({ isCurrent }) => isCurrent) ? tabs : []
}

function Crumbs({ crumbs }: { crumbs: readonly { name: string; href: string }[] }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol class="crumbs">
        {crumbs.map(({ name, href }) => (
          <li>
            <a href={href}>{name}</a>
          </li>
        ))}
      </ol>
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
    <details class="menu account">
      <summary>
        <Icon name="account" />
        <span>{name}</span>
      </summary>
      <ul class="panel">
        {hasOtherOrganisations && (
          <li>
            <a href="/dashboard">Switch organisation</a>
          </li>
        )}
        <li>
          <a href="/docs">Guide for engineers</a>
        </li>
        <li>
          <a href="/dashboard/sign-in/sessions">Your sessions</a>
        </li>
        <li class="apart">
          <ActionButton action="/dashboard/sign-out" label="Sign out" />
        </li>
      </ul>
    </details>
  )
}
