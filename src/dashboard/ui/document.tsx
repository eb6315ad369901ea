import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'

/** The HTML document of every page, with its head. */
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
