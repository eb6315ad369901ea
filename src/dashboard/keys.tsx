import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { NewKey, ShownKey } from '../auth/key-acts.ts'
import type { DashboardEnv } from '../auth/signed-in.ts'
import type { AuditRecord } from '../store/audit.ts'
import { KeyFields } from './key-fields.tsx'
import { type KeyDraft, newDraft } from './key-forms.ts'
import { KeyTable } from './key-table.tsx'
import { MadeSecret } from './made-secret.tsx'
import { Page, pathOf, Time, Wide } from './page.tsx'

type Props = {
  c: Context<DashboardEnv>
  keys: ShownKey[]
  acts: AuditRecord[]
  made?: NewKey
  /** The form as it was filled in, what is wrong with it, and what such a key would see. */
  draft?: KeyDraft
  fault?: string | undefined
  preview?: Child
}

/** An organisation's keys, a form for another, and what was done to them. A key just made is shown whole, this once. */
export function ApiKeys({ c, keys, acts, made, draft = newDraft, fault, preview }: Props) {
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
              value={draft.name}
              autocomplete="off"
              aria-describedby="name-help"
            />
          </label>
          <small id="name-help">What will use it, such as “Power BI, monthly report”.</small>
          <label>
            Expires (optional)
            <input type="date" name="expires" value={draft.expires} />
          </label>
          <KeyFields draft={draft} />
          <button type="submit">Create key</button>{' '}
          <button type="submit" class="secondary" formaction={`${path}/preview`}>
            Show what it will see
          </button>
        </form>
        {preview}
      </section>
      <section>
        <h2>What was done</h2>
        <AuditTable acts={acts} />
      </section>
    </Page>
  )
}

/** What was done to an organisation's keys and people, and by whom. */
export function AuditTable({ acts }: { acts: AuditRecord[] }) {
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
