import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { defaultPreset, findPreset, keyPresets } from '../../../access/key-presets.ts'
import { formatNumber } from '../../../platform/format-number.ts'
import type { ListedKey } from '../../../store/settings/list-keys.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Fact } from '../../ui/fact.tsx'
import { fieldNamesOf } from '../../ui/fields.tsx'
import { FieldsForm, RowForm } from '../../ui/fields-form.tsx'
import { type FieldErrors, type FieldValues, textsOf } from '../../ui/form-values.ts'
import { NewSecretNotice, Notice, type takeFlash } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { keysPath } from '../../ui/paths.ts'
import { PresetCards } from '../../ui/preset-cards.tsx'
import { Time } from '../../ui/value.tsx'
import { newKeyFields, permissionField, restrictionFields } from './key-fields.tsx'
import { KeyMenu, KeyState, KeyTable } from './tables.tsx'

type KeysProps = {
  c: Context<DashboardEnv>
  keys: readonly ListedKey[]
  /** The notice about the last action, or a new key. */
  flash: ReturnType<typeof takeFlash>
  /** The values of a rejected form, with its errors. */
  preset?: string
  draft?: FieldValues
  errors?: FieldErrors
}

/** Renders a form for a new key by purpose, and the organisation's keys. Shows a new key once. */
export function KeysPage({ c, keys, flash, preset, draft = {}, errors = {} }: KeysProps) {
  const path = keysPath(c)
  const activeCount = keys.filter(({ state }) => state === 'active').length
  return (
    <Page c={c} title="Keys">
      <Notice message={flash.notice} />
      <NewSecretNotice title="Your new key" secret={flash.secret}>
        Anyone with this key can use its permissions on your organisation’s records, so store it
        like a password.
      </NewSecretNotice>
      <section class="section">
        <h2>New key</h2>
        <p class="quiet">
          A key is a password with which another program reads or changes your data.
        </p>
        <RowForm
          action={path}
          fields={newKeyFields}
          values={draft}
          errors={errors}
          failure={notCreated}
          saveLabel="Create key"
          buttons={
            <button
              type="submit"
              class="button"
              formmethod="get"
              formaction={`${path}/new`}
              formnovalidate
            >
              Choose what it can see
            </button>
          }
        >
          <PresetCards presets={keyPresets} legend="Purpose" chosen={preset ?? defaultPreset.id} />
        </RowForm>
        <p class="quiet after">The key is shown once.</p>
      </section>
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

const notCreated = 'The key was not created.'

type KeyFormProps = {
  c: Context<DashboardEnv>
  draft: FieldValues
  errors?: FieldErrors
  /** The preview of the access, unless the form has errors. */
  preview: Child
}

/** Renders a form for a new key with every permission and restriction, and its preview. */
export const NewKeyPage = ({ c, draft, errors = {}, preview }: KeyFormProps) => (
  <Page c={c} title="New key" crumbs={keysCrumbs(c)} tabs={[]}>
    <FieldsForm
      {...accessForm(`${keysPath(c)}/new`, draft)}
      fields={[...newKeyFields, permissionField]}
      errors={errors}
      failure={notCreated}
      saveLabel="Create key"
      cancelPath={keysPath(c)}
    />
    {preview}
  </Page>
)

/** Renders a form for a key's permissions and restrictions, with their preview. */
export function ChangeKeyPage({
  c,
  apiKey,
  draft,
  errors = {},
  preview,
}: KeyFormProps & { apiKey: ListedKey }) {
  const keyPath = `${keysPath(c)}/${apiKey.id}`
  return (
    <Page
      c={c}
      title="Limit what it can see"
      crumbs={[...keysCrumbs(c), { name: apiKey.name, href: keyPath }]}
      lead="Changes apply from the key’s next request."
      tabs={[]}
    >
      <FieldsForm
        {...accessForm(`${keyPath}/permissions`, draft)}
        fields={[permissionField]}
        errors={errors}
        failure="Nothing was changed."
        cancelPath={keyPath}
      />
      {preview}
    </Page>
  )
}

/** What both forms for the access of a key have: a fold with the restrictions, and *Preview*. */
const accessForm = (path: string, draft: FieldValues) => ({
  action: path,
  values: draft,
  fold: {
    summary: 'Limit what it can see',
    fields: restrictionFields,
    isOpen: restrictionFields.some((item) =>
      fieldNamesOf(item).names.some((name) => textsOf(draft, name).length > 0),
    ),
  },
  buttons: (
    <button type="submit" class="button" formaction={`${path}/preview`}>
      Preview
    </button>
  ),
})

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
export const keysCrumbs = (c: Context<DashboardEnv>) => [{ name: 'Keys', href: keysPath(c) }]
