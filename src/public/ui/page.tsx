import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { texts } from '../../texts/texts.ts'
import { ExitLink } from './exit-link.tsx'
import { assetPath, type PublicSite, publicPath } from './site.ts'

type PageProps = {
  /** Undefined on the page for an organisation without public pages. */
  site: PublicSite | undefined
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
  const colour = site?.settings.colour?.slice(1)
  return (
    <>
      {raw('<!doctype html>')}
      <html lang={texts.language}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>
            {[hasErrors && texts.page.error, title, site && `– ${site.organisationName}`]
              .filter(Boolean)
              .join(' ')}
          </title>
          <link rel="stylesheet" href="/assets/public.css" />
          {site && colour && (
            <link rel="stylesheet" href={assetPath(site, `/colours/${colour}.css`)} />
          )}
          {script && <script src={script} async defer />}
        </head>
        <body>
          <a class="skip" href="#main">
            {texts.page.skip}
          </a>
          {site && !site.isEmbedded && <Banner site={site} />}
          {site?.settings.hasExitLink && <ExitLink site={site} />}
          <main class="page" id="main">
            {site?.isTrial && <p class="notice warn">{texts.page.trial}</p>}
            {back && (
              <nav class="crumbs" aria-label={texts.page.back}>
                <a href={back.path}>{back.label}</a>
              </nav>
            )}
            {children}
          </main>
          {site && <Footer {...site.settings} />}
        </body>
      </html>
    </>
  )
}

function Banner({ site }: { site: PublicSite }) {
  return (
    <header class="banner">
      <div>
        <a href={publicPath(site)}>
          {site.hasLogo && <img src={assetPath(site, '/logo.png')} alt="" />}
          <span>{site.organisationName}</span>
        </a>
      </div>
    </header>
  )
}

function Footer({ privacyNotice, contactEmail, contactPhone }: PublicSite['settings']) {
  if (!privacyNotice && !contactEmail && !contactPhone) return null
  return (
    <footer class="contact">
      <div>
        {privacyNotice && (
          <a href={privacyNotice} target="_blank" rel="noreferrer">
            {texts.page.privacyNotice}
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
