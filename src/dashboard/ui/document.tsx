import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { secureHeaders } from 'hono/secure-headers'

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
        <body>{children}</body>
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

/** Renders the logo, a stack of records. */
export function Logo() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4 6c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3ZM4 6v6c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12v6c0 1.7 3.6 3 8 3s8-1.3 8-3v-6" />
    </svg>
  )
}
