import { html } from 'hono/html'
import { secureHeaders } from 'hono/secure-headers'
import { pageHeaders } from '../dashboard/ui/document.tsx'
import type { HttpEnv } from '../http/env.ts'
import { Hono } from '../http/hono.ts'
import { Guide } from './guide.tsx'

/** `GET /docs`: the guide to the API. `GET /docs/reference`: Swagger UI for the OpenAPI document, served from this origin. */
export const routes = new Hono<HttpEnv>()
  .get('/docs', pageHeaders, (c) => c.html(<Guide origin={new URL(c.req.url).origin} />))
  .get(
    '/docs/reference',
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        connectSrc: ["'self'"],
        // Swagger UI embeds its icons.
        imgSrc: ["'self'", 'data:'],
        frameAncestors: ["'none'"],
        formAction: ["'none'"],
        baseUri: ["'none'"],
      },
      xFrameOptions: 'DENY',
      referrerPolicy: 'no-referrer',
    }),
    (c) => c.html(referencePage),
  )

const referencePage = html`<!doctype html>
<html lang="en-GB">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>API reference – Data platform</title>
    <link rel="stylesheet" href="/assets/swagger-ui.css" />
    <link rel="stylesheet" href="/assets/docs.css" />
    <script src="/assets/swagger-ui.js" defer></script>
    <script src="/assets/docs.js" defer></script>
  </head>
  <body>
    <nav aria-label="Documentation"><a href="/docs">Guide</a></nav>
    <main id="reference"></main>
  </body>
</html>`
