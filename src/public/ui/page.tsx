import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { publicPath, type Site } from './site.ts'

type PageProps = {
  site: Site
  title: string
  /** Whether the page shows errors in a form: the title says so first. */
  hasErrors?: boolean
  /** The address of a script of another origin, for the protection against robots. */
  script?: string | undefined
  /** The path that a link above the heading leads to. */
  back?: { path: string; label: string }
  children?: Child
}

/** Renders a public page of an organisation. An embedded page has no banner. */
export function PublicPage({ site, title, hasErrors, script, back, children }: PageProps) {
  const { organisation, colour, isEmbedded } = site
  const colours = colour && publicPath(site, `/colours/${colour.slice(1)}.css`, true)
  return (
    <>
      {raw('<!doctype html>')}
      <html lang="en-GB">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>{`${hasErrors ? 'Error: ' : ''}${title} – ${organisation}`}</title>
          <link rel="stylesheet" href="/assets/public.css" />
          {colours && <link rel="stylesheet" href={colours} />}
          {script && <script src={script} async defer />}
        </head>
        <body>
          <a class="skip" href="#main">
            Skip to content
          </a>
          {!isEmbedded && <Banner site={site} />}
          <main class="page" id="main">
            {back && (
              <nav class="crumbs" aria-label="Back">
                <a href={back.path}>{back.label}</a>
              </nav>
            )}
            {children}
          </main>
          <Footer site={site} />
        </body>
      </html>
    </>
  )
}

function Banner({ site }: { site: Site }) {
  return (
    <header class="banner">
      <div>
        <a href={publicPath(site)}>
          {site.hasLogo && <img src={publicPath(site, '/logo.png')} alt="" />}
          <span>{site.organisation}</span>
        </a>
      </div>
    </header>
  )
}

function Footer({ site: { privacyNotice, contactEmail, contactPhone } }: { site: Site }) {
  if (!privacyNotice && !contactEmail && !contactPhone) return null
  return (
    <footer class="contact">
      <div>
        {privacyNotice && (
          <a href={privacyNotice} target="_blank" rel="noreferrer">
            Privacy notice
          </a>
        )}
        {contactEmail && <a href={`mailto:${contactEmail}`}>{contactEmail}</a>}
        {contactPhone && (
          <a href={`tel:${contactPhone.replaceAll(/[^\d+]/g, '')}`}>{contactPhone}</a>
        )}
      </div>
    </footer>
  )
}
