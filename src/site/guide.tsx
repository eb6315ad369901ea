import type { Child } from 'hono/jsx'
import { SimplePage } from '../dashboard/ui/document.tsx'

/** Renders the guide to the API. Its examples call `origin` with a key in `$KEY`. */
export function Guide({ origin }: { origin: string }) {
  const root = `${origin}/api/v1`
  return (
    <SimplePage
      title="How to use the API – Data platform"
      heading="How to use the API"
      links={<a href="/docs/reference">Reference</a>}
    >
      <p>
        The API reads and writes an organisation’s records as JSON or CSV over HTTPS. The{' '}
        <a href="/docs/reference">reference</a> lists every request with its parameters and
        responses, and can send requests with your key.
      </p>
      <Section title="Keys">
        <p>
          A key belongs to one organisation. Send it in the header <code>x-api-key</code>.
          Administrators create keys on the dashboard, under Settings or Connect. A key is shown
          once. Store it like a password, use a separate key for each tool, and never put a key in a
          URL.
        </p>
      </Section>
      <Section title="A first call">
        <Example>{`curl --fail -H "x-api-key: $KEY" '${root}/members?limit=2'`}</Example>
        <p>
          The response holds the records under the name of the collection, with <code>offset</code>{' '}
          and <code>limit</code>. Every list except members also has a <code>total</code>. A
          person’s <code>fields</code> follow your organisation’s schema; fields without a value are
          left out.
        </p>
      </Section>
      <Section title="Paging">
        <p>
          A page has 100 records; set <code>limit</code> to change that, from 1 to 250. Increase{' '}
          <code>offset</code> by the limit until a page has fewer records than you asked for.
          Records are in order of arrival, and new records go to the end. When a record is deleted
          or stops matching the filters, the records after it move up by one, so you can miss a
          record between two pages.
        </p>
        <Example>{`curl --fail -H "x-api-key: $KEY" '${root}/bookings?limit=250&offset=250'`}</Example>
        <p>
          To read everything, request the whole list as CSV or NDJSON, without a limit. If the
          export fails the transfer breaks off, so a file that downloads successfully is complete.
        </p>
        <Example>{`curl --fail --compressed -H "x-api-key: $KEY" '${root}/events?$format=csv&$bom=true'`}</Example>
      </Section>
      <Section title="Filters">
        <p>
          Any other parameter is a filter: the dotted path of a property, or the id of a schema
          field, that must equal the value. A record must match all filters. A list of texts matches
          if one of its values does. Postcodes match in any case and spacing.
        </p>
        <Example>{`curl --fail -H "x-api-key: $KEY" -H 'Prefer: handling=strict' '${root}/bookings?attending=true&userStatus=confirmed&limit=5'
curl --fail -H "x-api-key: $KEY" -H 'Prefer: handling=strict' '${root}/events?venue.postcode=LS11%200ES&limit=5'`}</Example>
        <p>
          A filter on an unknown field finds nothing, with status 200. The header{' '}
          <code>Warning</code> then names the parameter and the nearest field. Send{' '}
          <code>Prefer: handling=strict</code> to get 400 instead, so that no misspelt filter goes
          unnoticed.
        </p>
      </Section>
      <Section title="Dates and times">
        <p>
          A date looks like <code>2026-03-14</code>. A time is in UTC, with milliseconds:{' '}
          <code>2026-03-14T09:30:00.000Z</code>. Times that you send may have an offset; the default
          is UTC. <code>$updatedFrom</code> and <code>$updatedTo</code> list the records that
          changed in a range (from ≤ t &lt; to), in the order of the changes.{' '}
          <code>$include=times</code> adds the times.
        </p>
        <Example>{`curl --fail -H "x-api-key: $KEY" '${root}/members?$updatedFrom=2026-01-01T00:00:00Z&$include=times&limit=5'`}</Example>
      </Section>
      <Section title="Errors">
        <p>
          An error is <code>{'{"type": "…", "message": "…"}'}</code> with a matching status. The
          message names the problem and the allowed values. 400: the request is invalid. 401: the
          key is not valid here. 403: the key lacks a permission. 404: the record does not exist.
          412: somebody else changed the record. 429 and 503: wait for the seconds in{' '}
          <code>Retry-After</code> and try again. Every response has an <code>x-request-id</code> to
          quote to your operator.
        </p>
      </Section>
      <Section title="Following changes">
        <p>
          To keep a copy up to date, read everything once from <code>/changes</code>, then send the{' '}
          <code>next</code> of each response as <code>$after</code>: at once while <code>more</code>{' '}
          is true, and later at any time. Each record appears once, with its last change. Deletions
          appear for 90 days. An older cursor returns 410: start again with an empty copy.
        </p>
        <Example>{`curl --fail -H "x-api-key: $KEY" '${root}/changes?collections=members,bookings&$include=records&limit=5'`}</Example>
      </Section>
      <Section title="Writing">
        <p>
          With the <code>write</code> permission, <code>POST</code> creates a record,{' '}
          <code>PUT</code> replaces it, <code>PATCH</code> changes the properties you send, and{' '}
          <code>DELETE</code> deletes it. You can send back the body of a <code>GET</code>. Send the{' '}
          <code>ETag</code> as <code>If-Match</code> to avoid overwriting other people’s changes,
          and an <code>Idempotency-Key</code> with each <code>POST</code> to repeat it safely.
        </p>
      </Section>
      <Section title="Limits">
        <p>
          The header <code>RateLimit-Policy</code> states how many requests a key may make, and{' '}
          <code>RateLimit</code> how many remain. A body has at most 1 MiB, a request 20 filters and
          a URL 16,384 characters. A request that would read more than 200,000 rows is rejected with
          advice on how to narrow it.
        </p>
      </Section>
    </SimplePage>
  )
}

function Section({ title, children }: { title: string; children: Child }) {
  return (
    <section class="section">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

const Example = ({ children }: { children: string }) => <pre tabindex={0}>{children}</pre>
