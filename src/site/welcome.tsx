import { pageHeaders, SimplePage } from '../dashboard/ui/document.tsx'
import type { HttpEnv } from '../http/env.ts'
import { Hono } from '../http/hono.ts'

/** `GET /`: the welcome page, with links to the dashboard and the documentation. */
export const routes = new Hono<HttpEnv>().get('/', pageHeaders, (c) =>
  c.html(
    <SimplePage
      title="Your organisation’s data, in one place – Data platform"
      heading="Your organisation’s data, in one place"
    >
      <p>
        Members, events, bookings, forms and grants, for the people and the tools that work with
        them.
      </p>
      <ul class="stack after">
        <li>
          <h2>
            <a href="/dashboard">Dashboard</a>
          </h2>
          <p>Find and edit records, take registers, make reports, and connect Excel or Power BI.</p>
        </li>
        <li>
          <h2>
            <a href="/docs">Guide to the API</a>
          </h2>
          <p>How to read, filter, write and follow changes, with examples.</p>
        </li>
        <li>
          <h2>
            <a href="/docs/reference">API reference</a>
          </h2>
          <p>Every request with its parameters and responses. Try them in the browser.</p>
        </li>
      </ul>
    </SimplePage>,
  ),
)
