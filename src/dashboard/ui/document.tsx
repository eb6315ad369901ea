import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { secureHeaders } from 'hono/secure-headers'
import { Icon } from './icon.tsx'

/** Renders the HTML document of a page, with its head. */
export function HtmlDocument({ title, children }: { title: string; children: Child }) {
  return (
    <>
      {raw('<!doctype html>')}
      <html lang="en-GB">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>{title}</title>
          <link rel="stylesheet" href="/assets/dashboard.css" />
          <script src="/assets/dashboard.js" defer />
        </head>
        {children}
      </html>
    </>
  )
}

/** The security headers of every page: no resources from other origins and no framing. */
export const pageHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    scriptSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    baseUri: ["'none'"],
  },
  // The service sets this header on every response.
  strictTransportSecurity: false,
  xFrameOptions: 'DENY',
  referrerPolicy: 'no-referrer',
})

type SimplePageProps = { title: string; heading: string; links?: Child; children: Child }

/** Renders a page outside an organisation, such as the sign-in page: a line at the top and one column. */
export function SimplePage({ title, heading, links, children }: SimplePageProps) {
  return (
    <HtmlDocument title={title}>
      <body class="simple">
        <SkipLink />
        <header>
          <Brand name="Data platform" href="/" />
          {links && <div class="row end">{links}</div>}
        </header>
        <main class="page" id="main">
          <div class="head">
            <h1>{heading}</h1>
          </div>
          {children}
        </main>
      </body>
    </HtmlDocument>
  )
}

/** Renders the link that skips the navigation. It is the first stop of the Tab key on every page. */
export const SkipLink = () => (
  <a class="skip" href="#main">
    Skip to content
  </a>
)

/** Renders the logo and a name, as a link to the first page. */
export const Brand = ({ name, href }: { name: string; href: string }) => (
  <a class="org" href={href}>
    <Icon name="logo" class="mark" />
    {name}
  </a>
)
