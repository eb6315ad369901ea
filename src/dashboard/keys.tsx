import type { Context } from 'hono'
import type { NewKey, ShownKey } from '../auth/key-acts.ts'
import type { DashboardEnv } from '../auth/signed-in.ts'
import { type Right, rights, usualRights } from '../model/rights.ts'
import type { AuditRecord } from '../store/audit.ts'
import { KeyTable } from './key-table.tsx'
import { MadeSecret } from './made-secret.tsx'
import { Page, pathOf, Time, Wide } from './page.tsx'

const labels: Record<Right, string> = {
  read: 'read everything',
  'create-members': 'create members',
  write: 'create, change and delete everything',
}

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
      <div role="status">
        {made && (
          <MadeSecret title="Your new key" secret={made.key}>
            Whoever has it can do what it may with everything your organisation keeps here, so store
            it as you would a password.
          </MadeSecret>
        )}
      </div>
      {fault && <p role="alert">{fault}</p>}
      <section>
        <h2>Keys</h2>
        {keys.length === 0 ? <p>There are no keys yet.</p> : <KeyTable path={path} keys={keys} />}
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
          <fieldset>
            <legend>It may</legend>
            {rights.map((right) => (
              <label>
                <input
                  type="checkbox"
                  name="may"
                  value={right}
                  checked={usualRights.includes(right)}
                />
                {labels[right]}
              </label>
            ))}
          </fieldset>
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
