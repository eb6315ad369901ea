import type { Context } from 'hono'
import type { NewKey, ShownKey } from '../auth/api-keys.ts'
import type { AuditRecord } from '../auth/audit.ts'
import { Page, pathOf, Time, Wide } from './page.tsx'
import type { DashboardEnv } from './signed-in.ts'

type Props = {
  c: Context<DashboardEnv>
  keys: ShownKey[]
  acts: AuditRecord[]
  made?: NewKey
  fault?: string
}

/** An organisation's keys, a form for another, and what was done to them. A key just made is shown whole, this once. */
export function ApiKeys({ c, keys, acts, made, fault }: Props) {
  const path = `${pathOf(c.var.membership?.organisationId ?? '')}/settings/api-keys`
  return (
    <Page c={c} title="API Keys">
      <div role="status">{made && <Made secret={made.key} />}</div>
      {fault && <p role="alert">{fault}</p>}
      <section>
        <h2>Keys</h2>
        {keys.length === 0 ? <p>There are no keys yet.</p> : <Keys path={path} keys={keys} />}
      </section>
      <section>
        <h2>Create a key</h2>
        <form method="post" action={path}>
          <label>
            Name
            <input
              name="name"
              required
              maxlength={100}
              autocomplete="off"
              aria-describedby="name-help"
            />
          </label>
          <small id="name-help">What will use it, such as “Power BI, monthly report”.</small>
          <label>
            Expires (optional)
            <input type="date" name="expires" />
          </label>
          <button type="submit">Create key</button>
        </form>
      </section>
      <section>
        <h2>What was done</h2>
        <Audit acts={acts} />
      </section>
    </Page>
  )
}

function Made({ secret }: { secret: string }) {
  return (
    <article>
      <h2>Your new key</h2>
      <p>
        <strong>Copy it now: it is not shown again.</strong> Whoever has it can read everything your
        organisation keeps here, so store it as you would a password.
      </p>
      <code id="new-key" class="key">
        {secret}
      </code>
      <button type="button" data-copies="new-key" hidden>
        Copy
      </button>
    </article>
  )
}

function Keys({ path, keys }: { path: string; keys: ShownKey[] }) {
  return (
    <Wide label="Keys">
      <table>
        <thead>
          <tr>
            {['Name', 'Key', 'State', 'Created', 'Last used', 'Expires', 'Change'].map(
              (heading) => (
                <th scope="col">{heading}</th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr>
              <th scope="row">{key.name}</th>
              <td>
                <code>{key.prefix}…</code>
              </td>
              <td>{key.state}</td>
              <td>
                <Time at={key.created} /> by {key.createdBy}
              </td>
              <td>
                <Time at={key.lastUsed} />
              </td>
              <td>
                <Time at={key.expires} />
              </td>
              <td>
                <Changes path={`${path}/${key.id}`} {...key} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}

function Changes({ path, name, state }: { path: string } & Pick<ShownKey, 'name' | 'state'>) {
  return (
    <>
      {state === 'revoked' && <Act action={`${path}/reactivate`} label="Reactivate" name={name} />}
      {state === 'active' && (
        <>
          <Act action={`${path}/revoke`} label="Revoke" name={name} />
          <a href={`${path}/rotate`} aria-label={`Rotate ${name}`}>
            Rotate
          </a>
        </>
      )}
      <a href={`${path}/delete`} aria-label={`Delete ${name}`}>
        Delete
      </a>
    </>
  )
}

function Act({ action, label, name }: { action: string; label: string; name: string }) {
  return (
    <form method="post" action={action}>
      <button type="submit" aria-label={`${label} ${name}`}>
        {label}
      </button>
    </form>
  )
}

function Audit({ acts }: { acts: AuditRecord[] }) {
  return (
    <Wide label="What was done">
      <table>
        <thead>
          <tr>
            {['When (UTC)', 'Who', 'What', 'Which'].map((heading) => (
              <th scope="col">{heading}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {acts.map(({ at, actor, act, target }) => (
            <tr>
              <td>
                <Time at={at} />
              </td>
              <td>{actor}</td>
              <td>{act}</td>
              <td>{target}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}
