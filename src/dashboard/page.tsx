import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { DashboardEnv } from '../auth/signed-in.ts'
import { dashboardPages } from '../model/organisation-id.ts'

type PageProps = { c: Context<DashboardEnv>; title: string; children: Child }

/** Every page's frame: what it is called, where one is, and the way out. */
export function Page({ c, title, children }: PageProps) {
  const { session, membership } = c.var
  return (
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} – Data platform`}</title>
        <link rel="stylesheet" href="/assets/pico.css" />
        <link rel="stylesheet" href="/assets/dashboard.css" />
        <script src="/assets/copy.js" defer />
      </head>
      <body>
        <header>
          <nav aria-label="Main">
            <ul>
              <li>
                <strong>{membership?.organisation ?? 'Data platform'}</strong>
              </li>
              {membership && <Places {...membership} />}
            </ul>
            {session && <Account name={session.name} />}
          </nav>
        </header>
        <main>
          <h1>{title}</h1>
          {children}
        </main>
      </body>
    </html>
  )
}

function Places({ organisationId, role }: { organisationId: string; role: string }) {
  const root = pathOf(organisationId)
  return (
    <>
      <li>
        <a href={overviewOf(organisationId)}>Overview</a>
      </li>
      {role === 'admin' && (
        <>
          <li>
            <a href={`${root}/settings/api-keys`}>
              Settings <span aria-hidden="true">&gt;</span> API Keys
            </a>
          </li>
          <li>
            <a href={`${root}/settings/people`}>
              Settings <span aria-hidden="true">&gt;</span> People
            </a>
          </li>
          <li>
            <a href={`${root}/settings/webhooks`}>Webhooks</a>
          </li>
        </>
      )}
      <li>
        <a href="/dashboard">Organisations</a>
      </li>
    </>
  )
}

function Account({ name }: { name: string }) {
  return (
    <ul>
      <li>{name}</li>
      <li>
        <form method="post" action="/dashboard/sign-out">
          <button type="submit">Sign out</button>
        </form>
      </li>
    </ul>
  )
}

/** A time as people read it, in UTC; a dash for none. */
export function Time({ at }: { at: string | null }) {
  if (at === null) return <>–</>
  return <time datetime={at}>{`${at.slice(0, 10)} ${at.slice(11, 16)}`}</time>
}

type WideProps = { label: string; narrow?: boolean; children: Child }

/** A table wider than the window scrolls by itself, for the keyboard too. */
export function Wide({ label, narrow, children }: WideProps) {
  return (
    <section class={narrow ? 'wide narrow' : 'wide'} tabindex={0} aria-label={label}>
      {children}
    </section>
  )
}

/** Where an organisation's pages are. */
export const pathOf = (organisationId: string) => `/dashboard/${encodeURIComponent(organisationId)}`

/** Where an organisation's overview is: below its path, if it was given the name of a page before that was refused. */
export const overviewOf = (organisationId: string) =>
  pathOf(organisationId) + (dashboardPages.includes(organisationId) ? '/overview' : '')
