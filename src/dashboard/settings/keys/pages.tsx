import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { defaultPreset, findPreset, keyPresets } from '../../../access/key-presets.ts'
import type { ListedKey } from '../../../admin/list-keys.ts'
import { formatNumber } from '../../../platform/format-number.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { SaveButtons } from '../../ui/button.tsx'
import { Fact } from '../../ui/fact.tsx'
import { Field, Select } from '../../ui/form.tsx'
import { NewSecretNotice, Notice, type takeFlash } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { keysPath } from '../../ui/paths.ts'
import { Time } from '../../ui/value.tsx'
import { KeyFields } from './key-fields.tsx'
import { expiryChoices, type KeyDraft, type KeyErrors } from './key-form.ts'
import { KeyMenu, KeyState, KeyTable } from './tables.tsx'

type KeysProps = {
  c: Context<DashboardEnv>
  keys: readonly ListedKey[]
  /** The notice about the last action, or a new key. */
  flash: ReturnType<typeof takeFlash>
  /** The values of a rejected form, with its errors. */
  preset?: string
  draft?: Pick<KeyDraft, 'name' | 'expires'>
  errors?: KeyErrors
}

/** Renders a form for a new key by purpose, and the organisation's keys. Shows a new key once. */
export function KeysPage({ c, keys, flash, preset, draft, errors = {} }: KeysProps) {
  const path = keysPath(c)
  const activeCount = keys.filter(({ state }) => state === 'active').length
  return (
    <Page c={c} title="API keys">
      <Notice message={flash.notice} />
      <NewSecretNotice title="Your new key" secret={flash.secret}>
        Anyone with this key can use its permissions on your organisation’s records, so store it
        like a password.
      </NewSecretNotice>
      <form method="post" action={path} class="section">
        <h2>New key</h2>
        <p class="quiet">A key lets other software read or change your data.</p>
        <fieldset class="after">
          <legend class="visually-hidden">Purpose</legend>
          <div class="grid">
            {keyPresets.map(({ id, name, summary }) => (
              <label class="preset">
                <input
                  type="radio"
                  name="preset"
                  value={id}
                  checked={id === (preset ?? defaultPreset.id)}
                />
                <span>
                  <strong>{name}</strong>
                  <small>{summary}</small>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <div class="create">
          <NameAndExpiry draft={draft} errors={errors} />
          <button type="submit" class="button primary">
            Create key
          </button>
          <button
            type="submit"
            class="button"
            formmethod="get"
            formaction={`${path}/new`}
            formnovalidate
          >
            Choose what it can see
          </button>
        </div>
        <p class="quiet after">The key is shown once.</p>
      </form>
      <section class="section">
        <h2>
          Keys <small>{activeCount} active</small>
        </h2>
        {keys.length === 0 ? <p>There are no keys yet.</p> : <KeyTable path={path} keys={keys} />}
        {activeCount > 0 && (
          <p class="after">
            <a class="button" href={`${path}/revoke-all`}>
              Revoke all keys
            </a>
          </p>
        )}
      </section>
    </Page>
  )
}

type NameAndExpiryProps = {
  draft: Pick<KeyDraft, 'name' | 'expires'> | undefined
  errors: KeyErrors
}

function NameAndExpiry({ draft, errors }: NameAndExpiryProps) {
  return (
    <>
      <Field label="Name" name="name" error={errors.name}>
        {(attributes) => (
          <input
            {...attributes}
            value={draft?.name ?? ''}
            placeholder="For example: Excel, board report"
            required
            maxlength={100}
            autocomplete="off"
          />
        )}
      </Field>
      <Field label="Expires" name="expires" error={errors.expires}>
        {(attributes) => (
          <Select options={expiryChoices} selected={draft?.expires ?? ''} attributes={attributes} />
        )}
      </Field>
    </>
  )
}

type KeyFormProps = {
  c: Context<DashboardEnv>
  draft: KeyDraft
  errors?: KeyErrors
  /** The preview of the access, unless the form has errors. */
  preview: Child
}

/** Renders a form for a new key with every permission and restriction, and its preview. */
export function NewKeyPage({ c, draft, errors = {}, preview }: KeyFormProps) {
  const path = `${keysPath(c)}/new`
  return (
    <Page c={c} title="New key" crumbs={keysCrumbs(c)} tabs={[]}>
      <form method="post" action={path} class="form">
        <FormErrors errors={errors} message="The key was not created. Correct the errors below." />
        <div class="create">
          <NameAndExpiry draft={draft} errors={errors} />
        </div>
        <KeyFields draft={draft} errors={errors} />
        <FormButtons path={path} label="Create key" cancelPath={keysPath(c)} />
      </form>
      {preview}
    </Page>
  )
}

/** Renders a form for a key's permissions and restrictions, with their preview. */
export function ChangeKeyPage({
  c,
  apiKey,
  draft,
  errors = {},
  preview,
}: KeyFormProps & { apiKey: ListedKey }) {
  const keyPath = `${keysPath(c)}/${apiKey.id}`
  const path = `${keyPath}/permissions`
  const crumbs = [...keysCrumbs(c), { name: apiKey.name, href: keyPath }]
  return (
    <Page
      c={c}
      title="Limit what it can see"
      crumbs={crumbs}
      lead="Changes apply from the key’s next request."
      tabs={[]}
    >
      <form method="post" action={path} class="form">
        <FormErrors errors={errors} message="Nothing was changed. Correct the errors below." />
        <KeyFields draft={draft} errors={errors} />
        <FormButtons path={path} label="Save" cancelPath={keyPath} />
      </form>
      {preview}
    </Page>
  )
}

const FormErrors = ({ errors, message }: { errors: KeyErrors; message: string }) =>
  Object.keys(errors).length > 0 ? <p role="alert">{message}</p> : null

type FormButtonsProps = { path: string; label: string; cancelPath: string }

const FormButtons = ({ path, label, cancelPath }: FormButtonsProps) => (
  <SaveButtons label={label} cancelPath={cancelPath}>
    <button type="submit" class="button" formaction={`${path}/preview`}>
      Preview
    </button>
  </SaveButtons>
)

type KeyPageProps = {
  c: Context<DashboardEnv>
  apiKey: ListedKey
  /** The requests and returned records of the last 30 days. */
  usage: { requests: number; records: number }
  preview: Child
}

/** Renders a key: what it can see, its use, and its actions. */
export function KeyPage({ c, apiKey, usage, preview }: KeyPageProps) {
  const { id, name, prefix, state, created, createdBy, lastUsed, expires } = apiKey
  const path = `${keysPath(c)}/${id}`
  return (
    <Page
      c={c}
      title={name}
      crumbs={keysCrumbs(c)}
      tabs={[]}
      actions={
        <>
          {state !== 'expired' && (
            <a class="button" href={`${path}/permissions`}>
              Limit what it can see
            </a>
          )}
          <KeyMenu path={path} apiKey={apiKey} />
        </>
      }
    >
      <p>
        <KeyState apiKey={apiKey} />
      </p>
      <dl class="facts across after">
        <Fact label="Purpose">{findPreset(apiKey)?.name ?? 'Chosen in detail'}</Fact>
        <Fact label="Begins with">
          <code>{prefix}…</code>
        </Fact>
        <Fact label="Last used">
          <Time value={lastUsed} />
        </Fact>
        <Fact label="Last 30 days">
          {formatNumber(usage.requests)} requests, {formatNumber(usage.records)} records
        </Fact>
        <Fact label="Created">
          <Time value={created} /> by {createdBy}
        </Fact>
        <Fact label="Expires">{expires ? <Time value={expires} /> : 'Never'}</Fact>
      </dl>
      {preview}
    </Page>
  )
}

/** Returns the link from a key's page to the list of keys. */
export const keysCrumbs = (c: Context<DashboardEnv>) => [{ name: 'API keys', href: keysPath(c) }]
