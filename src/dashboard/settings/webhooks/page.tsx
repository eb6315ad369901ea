import type { Context } from 'hono'
import { collectionNames, collectionTitle } from '../../../model/collection.ts'
import { toLabel } from '../../../model/properties/compile.ts'
import type { ListedWebhook } from '../../../store/webhooks/list-webhooks.ts'
import { changeNames } from '../../../webhooks/message.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { ActionMenu } from '../../ui/actions.tsx'
import type { FormField } from '../../ui/fields.tsx'
import { FieldsForm } from '../../ui/fields-form.tsx'
import type { FieldErrors, FieldValues } from '../../ui/form-values.ts'
import { NewSecretNotice, type takeFlash } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { webhooksPath } from '../../ui/paths.ts'
import { DataTable } from '../../ui/table.tsx'
import { Time } from '../../ui/value.tsx'
import { webhookActions } from './actions.tsx'

type Props = {
  c: Context<DashboardEnv>
  webhooks: ListedWebhook[]
  flash: ReturnType<typeof takeFlash>
  /** A rejected form. */
  rejected?: { values: FieldValues; errors: FieldErrors } | undefined
}

/** Renders the webhooks with a form for a new one. Shows a new secret once. */
export function WebhooksPage({ c, webhooks, flash, rejected }: Props) {
  const path = webhooksPath(c)
  return (
    <Page c={c} title="Webhooks">
      <NewSecretNotice title="Your new webhook secret" secret={flash.secret}>
        The receiver uses it to verify that messages come from this service.
      </NewSecretNotice>
      {webhooks.length === 0 ? (
        <p>There are no webhooks yet.</p>
      ) : (
        <WebhookTable path={path} webhooks={webhooks} />
      )}
      <section class="section">
        <h2>Add a webhook</h2>
        <FieldsForm
          action={path}
          fields={webhookFields}
          values={rejected?.values ?? defaults}
          errors={rejected?.errors ?? {}}
          failure="The webhook was not added."
          saveLabel="Add webhook"
        />
      </section>
    </Page>
  )
}

const toOptions = (names: readonly string[], toLabel: (name: string) => string) =>
  names.map((value) => ({ value, label: toLabel(value) }))

/** The fields of the form for a new webhook. */
export const webhookFields: readonly FormField[] = [
  {
    name: 'address',
    label: 'Address',
    help: 'The URL of your receiver, such as https://hooks.example.org/changes. Messages name the changed record but contain none of its values.',
    attributes: { type: 'url', required: true, maxlength: 2048, autocomplete: 'off' },
  },
  {
    name: 'collections',
    label: 'Collections',
    options: toOptions(collectionNames, collectionTitle),
    hasSeveral: true,
  },
  {
    name: 'changes',
    label: 'Changes',
    options: toOptions(changeNames, (name) => name),
    hasSeveral: true,
  },
]

const defaults = { collections: collectionNames, changes: changeNames }

const WebhookTable = ({ path, webhooks }: { path: string; webhooks: ListedWebhook[] }) => (
  <DataTable
    label="Webhooks"
    columns={[
      { heading: 'Address', cell: ({ id, url }) => <a href={`${path}/${id}`}>{url}</a> },
      {
        heading: 'State',
        cell: ({ state, reason }) => (
          <>
            <span class={state === 'active' ? undefined : 'tag warn'}>{toLabel(state)}</span>
            {reason && ` ${reason}`}
          </>
        ),
      },
      { heading: 'Last success', cell: ({ lastSuccess }) => <Time value={lastSuccess} /> },
      { heading: 'Failures in a row', isRightAligned: true, cell: ({ failures }) => failures },
      { heading: 'Waiting', isRightAligned: true, cell: ({ waiting }) => waiting },
      {
        heading: 'Actions',
        isRightAligned: true,
        cell: (webhook) => (
          <ActionMenu
            actions={webhookActions}
            thing={webhook}
            path={`${path}/${webhook.id}`}
            label={`Actions for ${webhook.url}`}
            class="plain"
          />
        ),
      },
    ]}
    rows={webhooks}
  />
)
