import type { Context } from 'hono'
import type { AuditRecord } from '../auth/audit.ts'
import type { ShownKey } from '../auth/key-acts.ts'
import type { DashboardEnv } from '../auth/signed-in.ts'
import { type Right, rights, usualRights } from '../model/rights.ts'
import { KeyTable } from './key-table.tsx'
import { Page, pathOf, Time, Wide } from './page.tsx'
import { Field } from './parts/field.tsx'

const labels: Record<Right, string> = {
  read: 'read everything',
  'create-members': 'create members',
  write: 'create, change and delete everything',
}

type Props = {
  c: Context<DashboardEnv>
  keys: ShownKey[]
  acts: AuditRecord[]
  /** A key that was just made, whole. */
  secret?: string | undefined
  /** A form that was refused. */
  refused?: { given: Record<string, unknown>; faults: Record<string, string> } | undefined
}

/** An organisation's keys, a form for another, and what was done to them. A key just made is shown whole, this once. */
export function ApiKeys({ c, keys, acts, secret, refused }: Props) {
  const path = `${pathOf(c.var.membership?.organisationId ?? '')}/settings/api-keys`
  return (
    <Page c={c} title="API keys">
      <div role="status">{secret && <Made secret={secret} />}</div>
      <section>
        <h2>Keys</h2>
        {keys.length === 0 ? <p>There are no keys yet.</p> : <KeyTable path={path} keys={keys} />}
      </section>
      <section>
        <h2>Create a key</h2>
        {refused && <p role="alert">The key was not made: see what is marked below.</p>}
        <CreateKey path={path} {...refused} />
      </section>
      <section>
        <h2>What was done</h2>
        <Audit acts={acts} />
      </section>
    </Page>
  )
}

type FormProps = {
  path: string
  given?: Record<string, unknown>
  faults?: Record<string, string>
}

function CreateKey({ path, given = { may: usualRights }, faults = {} }: FormProps) {
  const mayBefore = [given.may ?? []].flat()
  return (
    <form method="post" action={path}>
      <Field
        label="Name"
        name="name"
        help="What will use it, such as “Power BI, monthly report”."
        fault={faults.name}
      >
        {(tied) => (
          <input
            {...tied}
            value={String(given.name ?? '')}
            required
            maxlength={100}
            autocomplete="off"
          />
        )}
      </Field>
      <Field label="Expires (optional)" name="expires" fault={faults.expires}>
        {(tied) => <input {...tied} type="date" value={String(given.expires ?? '')} />}
      </Field>
      <fieldset aria-describedby={faults.may && 'may-fault'}>
        <legend>It may</legend>
        {rights.map((right) => (
          <label>
            <input type="checkbox" name="may" value={right} checked={mayBefore.includes(right)} />
            {labels[right]}
          </label>
        ))}
        {faults.may && (
          <span class="fault" id="may-fault">
            {faults.may}
          </span>
        )}
      </fieldset>
      <button type="submit">Create key</button>
    </form>
  )
}

function Made({ secret }: { secret: string }) {
  return (
    <article class="card">
      <h2>Your new key</h2>
      <p>
        <strong>Copy it now: it is not shown again.</strong> Whoever has it can do what it may with
        everything your organisation keeps here, so store it as you would a password.
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

function Audit({ acts }: { acts: AuditRecord[] }) {
  return (
    <Wide label="What was done" stack>
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
