import type { Context } from 'hono'
import type { DashboardEnv } from '../session/signed-in.ts'
import { buildSnippets } from './snippets.ts'

type Props = { c: Context<DashboardEnv>; name: string; plural: string; query: URLSearchParams }

/** Shows the current list as an API request, for each tool. */
export function ApiCallExample({ c, name, plural, query }: Props) {
  const { origin } = new URL(c.req.url)
  return (
    <details class="card">
      <summary>
        <h2>As an API call</h2>
      </summary>
      <Snippets prefix="call" call={{ origin, name, plural, query }} />
      <p>
        <small>
          Replace YOUR_KEY with an API key. Administrators create keys under Settings, API keys.
        </small>
      </p>
    </details>
  )
}

/** Code snippets, each with a button that copies it. */
export function Snippets({
  prefix,
  call,
}: {
  prefix: string
  call: Parameters<typeof buildSnippets>[0]
}) {
  return (
    <>
      {buildSnippets(call).map(({ name, help, text }, index) => {
        const id = `${prefix}-${index}`
        return (
          <div class="snippet">
            <div class="head">
              <h3>{name}</h3>
              <button type="button" data-copies={id} aria-label={`Copy for ${name}`} hidden>
                Copy
              </button>
            </div>
            <p>
              <small>{help}</small>
            </p>
            <pre tabindex={0} id={id}>
              {text}
            </pre>
          </div>
        )
      })}
    </>
  )
}
