import { Hono } from 'hono'
import { HtmlDocument } from '../dashboard/ui/document.tsx'
import { Logo } from '../dashboard/ui/page.tsx'
import { pageHeaders } from '../dashboard/ui/page-headers.ts'
import type { HttpEnv } from '../http/env.ts'

/** `GET /`: what this is, and where to go from here. */
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
        <div class="head">
          <h1>Your organisation’s data, in one place</h1>
        </div>
        <p>
          Records of members, events, bookings, forms and grants, for the people who work with them
          and for the tools they work in.
        </p>
        <div class="cards">
          <a class="card" href="/dashboard">
            <h2>Dashboard</h2>
            <p>Find a record, correct it, see the figures, and connect Excel or Power BI.</p>
          </a>
          <a class="card" href="/docs">
            <h2>Guide to the API</h2>
            <p>From a key to a copy that keeps in step, with examples.</p>
          </a>
          <a class="card" href="/docs/reference">
            <h2>API reference</h2>
            <p>Every request with its parameters and answers, to read and to try.</p>
          </a>
        </div>
      </main>
    </HtmlDocument>,
  ),
)
