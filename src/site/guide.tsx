import type { Child } from 'hono/jsx'
import { HtmlDocument } from '../dashboard/ui/document.tsx'
import { Logo } from '../dashboard/ui/page.tsx'

/** How the API is used, from a key to a copy that keeps in step. Its examples ask `origin`, with a key in `KEY`. */
export function Guide({ origin }: { origin: string }) {
  const root = `${origin}/api/v1`
  return (
    <HtmlDocument title="Guide – Data platform">
      <header>
        <a class="brand" href="/">
          <Logo />
          <strong>Data platform</strong>
        </a>
        <a class="button" href="/docs/reference">
          Reference
        </a>
      </header>
      <main class="reading">
        <div class="head">
          <h1>How to use the API</h1>
        </div>
        <p>
          Everything an organisation keeps, as JSON or CSV over HTTPS. The{' '}
          <a href="/docs/reference">reference</a> has every request with its parameters and answers,
          and sends requests with your key.
        </p>
        <Section title="Keys">
          <p>
            A key belongs to one organisation and is sent in the header <code>x-api-key</code>. An
            administrator makes one on the dashboard, in Settings or, already filled in, in Connect.
            It is shown once. Keep it as you would a password, give each tool one of its own, and
            never put it into an address.
          </p>
        </Section>
        <Section title="A first call">
          <Example>{`curl --fail -H "x-api-key: $KEY" '${root}/members?limit=2'`}</Example>
          <p>
            The answer holds the records under the name of the collection, with <code>offset</code>{' '}
            and <code>limit</code>; every list but that of members tells the <code>total</code>. A
            person’s <code>fields</code> are those of your organisation’s own schema, and only those
            with a value.
          </p>
        </Section>
        <Section title="To the end of a list">
          <p>
            A page has 100 records unless <code>limit</code> says otherwise, from 1 to 250. Add the
            limit to <code>offset</code> until a page comes with fewer records than you asked for.
            Records come in the order in which they arrived, and new records go to the end. When a
            record is deleted or stops matching the filters, those behind it move up by one, so you
            can miss a record between two pages.
          </p>
          <Example>{`curl --fail -H "x-api-key: $KEY" '${root}/bookings?limit=250&offset=250'`}</Example>
          <p>
            To miss nothing, take the whole list at once, as CSV or NDJSON, without a limit. If it
            cannot be finished the transfer breaks off, so a file that came whole is complete.
          </p>
          <Example>{`curl --fail --compressed -H "x-api-key: $KEY" '${root}/events?$format=csv&$bom=true'`}</Example>
        </Section>
        <Section title="Filters">
          <p>
            Any other parameter is a filter on a field that equals the value: the dotted path of a
            property, or the id of a schema field. Filters combine. In a list of texts, one of them
            is enough. A postcode matches in any case and spacing.
          </p>
          <Example>{`curl --fail -H "x-api-key: $KEY" '${root}/bookings?attending=true&userStatus=confirmed&limit=5'
curl --fail -H "x-api-key: $KEY" '${root}/events?venue.postcode=LS11%200ES&limit=5'`}</Example>
          <p>
            A filter on a name that is no field finds nothing, with status 200; the header{' '}
            <code>Warning</code> then names the nearest field.
          </p>
        </Section>
        <Section title="Dates and times">
          <p>
            A date is <code>2026-03-14</code>. A time is in UTC, with milliseconds:{' '}
            <code>2026-03-14T09:30:00.000Z</code>. Times that you send may have an offset; without
            one they are taken as UTC. <code>$updatedFrom</code> and <code>$updatedTo</code> give
            what changed here in a range, from ≤ t &lt; to, in the order of that change;{' '}
            <code>$include=times</code> shows when.
          </p>
          <Example>{`curl --fail -H "x-api-key: $KEY" '${root}/members?$updatedFrom=2026-01-01T00:00:00Z&$include=times&limit=5'`}</Example>
        </Section>
        <Section title="Errors">
          <p>
            An error is <code>{'{"type": "…", "message": "…"}'}</code> with the status that belongs
            to it. The message names what is wrong and what is allowed. 400: the request is not as
            it must be. 401: the key is not valid here. 403: it lacks a right. 404: there is no such
            record. 412: somebody changed it meanwhile. 429 and 503: wait for the seconds in{' '}
            <code>Retry-After</code> and try again. Every answer has an <code>x-request-id</code> to
            ask your operator with.
          </p>
        </Section>
        <Section title="Following changes">
          <p>
            Who keeps a copy reads everything once from <code>/changes</code>, then sends the{' '}
            <code>next</code> of each answer as <code>$after</code>: at once while <code>more</code>{' '}
            is true, and later whenever you like. Each record comes once, with its last change;
            deletions come as well, for 90 days. An older cursor is answered with 410: begin again
            with an empty copy.
          </p>
          <Example>{`curl --fail -H "x-api-key: $KEY" '${root}/changes?collections=members,bookings&$include=records&limit=5'`}</Example>
        </Section>
        <Section title="Writing">
          <p>
            With the right to write, <code>POST</code> creates, <code>PUT</code> replaces,{' '}
            <code>PATCH</code> changes what it gives, and <code>DELETE</code> removes. What a{' '}
            <code>GET</code> gives can be sent back. Send the <code>ETag</code> you got as{' '}
            <code>If-Match</code>, so that nobody’s change is lost, and an{' '}
            <code>Idempotency-Key</code> with what creates, so that it may be sent again.
          </p>
        </Section>
        <Section title="Limits">
          <p>
            The header <code>RateLimit-Policy</code> tells how many requests a key may make. A body
            has at most 1 MiB, a request 20 filters and an address 16,384 characters. What would
            read more than 200,000 rows is refused, with what to ask instead.
          </p>
        </Section>
      </main>
    </HtmlDocument>
  )
}

function Section({ title, children }: { title: string; children: Child }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

const Example = ({ children }: { children: string }) => <pre tabindex={0}>{children}</pre>
