import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { DashboardEnv } from '../auth/signed-in.ts'
import { dashboardPages } from '../model/organisation-id.ts'
import { Document } from './document.tsx'
import { may } from './may.ts'
import { type MainPlace, type Place, places } from './places.ts'

type PageProps = { c: Context<DashboardEnv>; title: string; beside?: Child; children?: Child }

/** Every page's frame: whose it is, the places there are with the current one marked, what the page is called, and what may be done beside its title. */
export function Page({ c, title, beside, children }: PageProps) {
  const { session, membership } = c.var
  const shown = membership ? placesFor(c) : []
  const current = shown.findLast(({ path }) => isWithin(c, path))
  const home = membership ? overviewOf(membership.organisationId) : '/dashboard'
  return (
    <Document title={`${title} – ${membership?.organisation ?? 'Data platform'}`}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header>
        <a class="brand" href={home}>
          <Mark />
          <strong>{membership?.organisation ?? 'Data platform'}</strong>
        </a>
        {session && <Account name={session.name} several={session.memberships.length > 1} />}
      </header>
      {shown.length > 0 && (
        <nav class="places" aria-label="Main">
          <ul>
            {shown.map((place) => (
              <li>
                <a href={hrefOf(c, place)} aria-current={place === current ? 'page' : undefined}>
                  <svg viewBox="0 0 24 24" aria-hidden="true">
                    <path d={place.icon} />
                  </svg>
                  {place.name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <main id="main">
        {current?.within && <Within c={c} name={current.name} within={current.within} />}
        <div class="head">
          <h1>{title}</h1>
          {beside && <div class="acts">{beside}</div>}
        </div>
        {children}
      </main>
    </Document>
  )
}

/** The places that the person signed in may go to; one that leads on to others only with those. */
function placesFor(c: Context<DashboardEnv>): MainPlace[] {
  const isOpen = ({ act }: Place) => act === undefined || may(c, act)
  return places.filter(isOpen).flatMap(({ within, ...place }) => {
    if (!within) return [place]
    const open = within.filter(isOpen)
    return open.length > 0 ? [{ ...place, within: open }] : []
  })
}

function Within({
  c,
  name,
  within,
}: {
  c: Context<DashboardEnv>
  name: string
  within: readonly Place[]
}) {
  return (
    <nav aria-label={name}>
      <ul class="tabs">
        {within.map((place) => (
          <li>
            <a href={hrefOf(c, place)} aria-current={isWithin(c, place.path) ? 'page' : undefined}>
              {place.name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Account({ name, several }: { name: string; several: boolean }) {
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
        {several && <a href="/dashboard">Another organisation</a>}
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
export function Mark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4 6c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3ZM4 6v6c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12v6c0 1.7 3.6 3 8 3s8-1.3 8-3v-6" />
    </svg>
  )
}

function hrefOf(c: Context<DashboardEnv>, { path, within }: Place & Partial<MainPlace>): string {
  if (path === '') return overviewOf(c.var.membership?.organisationId ?? '')
  return pathIn(c, within?.[0]?.path ?? path)
}

/** Whether the page asked for is this place or below it. */
function isWithin(c: Context<DashboardEnv>, path: string): boolean {
  const here = new URL(c.req.url).pathname.slice(pathIn(c).length)
  return path === '' ? ['', '/overview'].includes(here) : `${here}/`.startsWith(`${path}/`)
}

type WideProps = { label: string; narrow?: boolean; stack?: boolean; children: Child }

/** A table wider than the window scrolls by itself, for the keyboard too; a stacked one becomes cards on a phone. */
export function Wide({ label, narrow, stack, children }: WideProps) {
  return (
    <section
      class={['wide', narrow && 'narrow', stack && 'stack'].filter(Boolean).join(' ')}
      tabindex={0}
      aria-label={label}
    >
      {children}
    </section>
  )
}

/** Where an organisation's pages are. */
const pathOf = (organisationId: string) => `/dashboard/${encodeURIComponent(organisationId)}`

/** Where a page of the organisation that is looked at is. */
export const pathIn = (c: Context<DashboardEnv>, path = '') =>
  pathOf(c.var.membership?.organisationId ?? '') + path

/** Where its keys are managed. */
export const pathOfKeys = (c: Context<DashboardEnv>) => pathIn(c, '/settings/api-keys')

/** Where its webhooks are managed. */
export const pathOfWebhooks = (c: Context<DashboardEnv>) => pathIn(c, '/settings/webhooks')

/** Where an organisation's overview is: below its path, if it was given the name of a page before that was refused. */
export const overviewOf = (organisationId: string) =>
  pathOf(organisationId) + (dashboardPages.includes(organisationId) ? '/overview' : '')
