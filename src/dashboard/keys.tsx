import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { ShownKey } from '../auth/shown-keys.ts'
import type { DashboardEnv } from '../auth/signed-in.ts'
import type { Usage } from '../auth/usage.ts'
import type { AuditRecord } from '../store/audit.ts'
import type { flashOf } from './flash.ts'
import { KeyFields } from './key-fields.tsx'
import { type KeyDraft, type KeyFaults, newDraft } from './key-forms.ts'
import { KeyTable } from './key-table.tsx'
import { MadeSecret } from './made-secret.tsx'
import { Page, pathOfKeys } from './page.tsx'
import { Field } from './parts/field.tsx'
import { Said } from './parts/said.tsx'
import { UsageTable } from './usage-table.tsx'
import { WhatWasDone } from './what-was-done.tsx'

type Props = {
  c: Context<DashboardEnv>
  keys: ShownKey[]
  usage: Usage[]
  acts: AuditRecord[]
  /** What was just done, or the key that was just made, whole. */
  told: ReturnType<typeof flashOf>
  /** The form as it was filled in, what is wrong with it, and what such a key would see. */
  draft?: KeyDraft
  faults?: KeyFaults
  preview?: Child
}

/** An organisation's keys, what they were used for, a form for another, and what was done to them. A key just made is shown whole, this once. */
export function ApiKeys({ c, keys, usage, acts, told, draft = newDraft, faults, preview }: Props) {
  const path = pathOfKeys(c)
  return (
    <Page c={c} title="API keys">
      <Said notice={told.notice} />
      <MadeSecret title="Your new key" secret={told.secret}>
        Whoever has it can do what it may with everything your organisation keeps here, so store it
        as you would a password.
      </MadeSecret>
      <section>
        <h2>Keys</h2>
        {keys.length === 0 ? <p>There are no keys yet.</p> : <KeyTable path={path} keys={keys} />}
      </section>
      <section>
        <h2>Create a key</h2>
        {faults && <p role="alert">The key was not made: see what is marked below.</p>}
        <CreateKey path={path} draft={draft} faults={faults ?? {}} />
      </section>
      {preview}
      {usage.length > 0 && (
        <section>
          <h2>Use in the last 30 days</h2>
          <UsageTable usage={usage} />
          <p>
            <small>
              Requests that were answered, with the records that were given. The last minute may be
              missing.
            </small>
          </p>
        </section>
      )}
      <WhatWasDone acts={acts} />
    </Page>
  )
}

type FormProps = { path: string; draft: KeyDraft; faults: KeyFaults }

function CreateKey({ path, draft, faults }: FormProps) {
  return (
    <form method="post" action={path}>
      <Field
        label="Name"
        name="name"
        help="What will use it, such as “Power BI, monthly report”."
        fault={faults.name}
      >
        {(tied) => (
          <input {...tied} value={draft.name} required maxlength={100} autocomplete="off" />
        )}
      </Field>
      <Field label="Expires (optional)" name="expires" fault={faults.expires}>
        {(tied) => <input {...tied} type="date" value={draft.expires} />}
      </Field>
      <KeyFields draft={draft} faults={faults} />
      <div class="acts">
        <button type="submit">Create key</button>
        <button type="submit" class="plain" formaction={`${path}/preview`}>
          Show what it will see
        </button>
      </div>
    </form>
  )
}
