import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { ListedKey } from '../../../admin/list-keys.ts'
import type { Usage } from '../../../admin/usage.ts'
import type { ListedAuditEntry } from '../../../store/audit-log.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Field } from '../../ui/form.tsx'
import { NewSecret, Notice, type takeFlash } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { keysPath } from '../../ui/paths.ts'
import { AuditTable } from '../../ui/table.tsx'
import { KeyName } from './confirm.tsx'
import { emptyKeyDraft, type KeyDraft, type KeyErrors, KeyFields } from './key-form.tsx'
import { KeyTable, UsageTable } from './tables.tsx'

type Props = {
  c: Context<DashboardEnv>
  keys: ListedKey[]
  usage: Usage[]
  auditEntries: ListedAuditEntry[]
  assistantCalls: ListedAuditEntry[]
  /** The notice about the last action, or a new key. */
  flash: ReturnType<typeof takeFlash>
  /** The values of a rejected or previewed form, with its errors and preview. */
  draft?: KeyDraft
  errors?: KeyErrors
  preview?: Child
}

/** Renders the API keys with a form for a new one, usage and activity. Shows a new key once. */
export function KeysPage({
  c,
  keys,
  usage,
  auditEntries,
  assistantCalls,
  flash,
  draft = emptyKeyDraft,
  errors,
  preview,
}: Props) {
  const path = keysPath(c)
  return (
    <Page c={c} title="API keys">
      <Notice message={flash.notice} />
      <NewSecret title="Your new key" secret={flash.secret}>
        Anyone with this key can use its permissions on your organisation’s records, so store it
        like a password.
      </NewSecret>
      <section>
        <h2>Keys</h2>
        {keys.length === 0 ? <p>There are no keys yet.</p> : <KeyTable path={path} keys={keys} />}
      </section>
      <section>
        <h2>Create a key</h2>
        {errors && <p role="alert">The key was not created. Correct the errors below.</p>}
        <p>
          For Claude, Copilot or ChatGPT,{' '}
          <a href={`${path}?for=assistant`}>fill in the form for an assistant</a>: it reads, without
          free text and private notes.
        </p>
        <CreateKeyForm path={path} draft={draft} errors={errors ?? {}} />
      </section>
      {preview}
      {usage.length > 0 && (
        <section>
          <h2>Usage in the last 30 days</h2>
          <UsageTable usage={usage} />
          <p>
            <small>
              Successful requests and the records they returned. The last minute may be missing.
            </small>
          </p>
        </section>
      )}
      <AuditTable entries={auditEntries} />
      {assistantCalls.length > 0 && (
        <AuditTable title="Calls of assistants" entries={assistantCalls} />
      )}
    </Page>
  )
}

type FormProps = { path: string; draft: KeyDraft; errors: KeyErrors }

function CreateKeyForm({ path, draft, errors }: FormProps) {
  return (
    <form method="post" action={path}>
      <Field
        label="Name"
        name="name"
        help="The tool that will use it, such as “Power BI, monthly report”."
        error={errors.name}
      >
        {(attributes) => (
          <input {...attributes} value={draft.name} required maxlength={100} autocomplete="off" />
        )}
      </Field>
      <Field label="Expires (optional)" name="expires" error={errors.expires}>
        {(attributes) => <input {...attributes} type="date" value={draft.expires} />}
      </Field>
      <KeyFields draft={draft} errors={errors} />
      <div class="buttons">
        <button type="submit">Create key</button>
        <button type="submit" class="secondary" formaction={`${path}/preview`}>
          Preview access
        </button>
      </div>
    </form>
  )
}

type ChangeKeyProps = {
  c: Context<DashboardEnv>
  apiKey: ListedKey
  draft: KeyDraft
  errors?: KeyErrors
  preview: Child
}

/** Renders a form for a key's permissions and restrictions, with a preview. */
export function ChangeKeyPage({ c, apiKey, draft, errors, preview }: ChangeKeyProps) {
  const listPath = keysPath(c)
  const path = `${listPath}/${apiKey.id}/permissions`
  return (
    <Page c={c} title="Change a key">
      <section>
        {errors && <p role="alert">Nothing was changed. Correct the errors below.</p>}
        <p>
          Change the permissions of <KeyName apiKey={apiKey} />. Changes apply from its next
          request.
        </p>
        <form method="post" action={path}>
          <KeyFields draft={draft} errors={errors ?? {}} />
          <div class="buttons">
            <button type="submit">Save</button>
            <button type="submit" class="secondary" formaction={`${path}/preview`}>
              Preview access
            </button>
            <a class="button" href={listPath}>
              Cancel
            </a>
          </div>
        </form>
      </section>
      {preview}
    </Page>
  )
}
