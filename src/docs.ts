import { Hono } from 'hono'
import { html } from 'hono/html'
import { secureHeaders } from 'hono/secure-headers'
import type { HttpEnv } from './http/env.ts'

/** `GET /docs`: the OpenAPI document as pages from which requests can be sent, all from this origin. */
export const docs = new Hono<HttpEnv>().get(
  '/docs',
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      connectSrc: ["'self'"],
      // The stylesheet and the reference hold their icons.
      imgSrc: ["'self'", 'data:'],
      frameAncestors: ["'none'"],
      formAction: ["'none'"],
      baseUri: ["'none'"],
    },
    xFrameOptions: 'DENY',
    referrerPolicy: 'no-referrer',
  }),
  (c) => c.html(page),
)

const page = html`<!doctype html>
<html lang="en-GB">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>API reference – Data platform</title>
    <link rel="stylesheet" href="/assets/swagger-ui.css" />
    <script src="/assets/swagger-ui.js" defer></script>
    <script src="/assets/docs.js" defer></script>
  </head>
  <body>
    <main id="reference"></main>
  </body>
</html>`
