import { Hono } from 'hono'
import { HtmlDocument, Logo, pageHeaders } from '../dashboard/ui/document.tsx'
import type { HttpEnv } from '../http/env.ts'

/** `GET /`: the welcome page, with links to the dashboard and the documentation. */
export const routes = new Hono<HttpEnv>().get('/', pageHeaders, (c) =>
  c.html(
    <HtmlDocument title="Data platform">
      <header>
        <span class="brand">
          <Logo />
          <strong>Data platform</strong>
        </span>
      </header>
      <main>
        <div class="heading-row">
          <h1>Your organisation’s data, in one place</h1>
        </div>
        <p>
          Members, events, bookings, forms and grants, for the people and the tools that work with
          them.
        </p>
        <div class="cards">
          <a class="card" href="/dashboard">
            <h2>Dashboard</h2>
            <p>Find and edit records, see figures, and connect Excel or Power BI.</p>
          </a>
          <a class="card" href="/docs">
            <h2>Guide to the API</h2>
            <p>How to read, filter, write and follow changes, with examples.</p>
          </a>
          <a class="card" href="/docs/reference">
            <h2>API reference</h2>
            <p>Every request with its parameters and responses. Try them in the browser.</p>
          </a>
        </div>
      </main>
    </HtmlDocument>,
  ),
)
