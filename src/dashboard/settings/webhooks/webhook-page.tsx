import type { Context } from 'hono'
import { toLabel } from '../../../model/properties/compile.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import type { ListedAttempt, ListedWebhook } from '../../../store/webhooks/list-webhooks.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { ActionMenu } from '../../ui/actions.tsx'
import { ActionButton } from '../../ui/button.tsx'
import { Fact } from '../../ui/fact.tsx'
import type { FormField } from '../../ui/fields.tsx'
import { FieldsForm } from '../../ui/fields-form.tsx'
import type { FieldErrors } from '../../ui/form-values.ts'
import { Page } from '../../ui/page.tsx'
import { webhooksPath } from '../../ui/paths.ts'
import { DataTable } from '../../ui/table.tsx'
import { Time } from '../../ui/value.tsx'
import { webhookActions } from './actions.tsx'

type Props = {
  c: Context<DashboardEnv>
  webhook: ListedWebhook
  attempts: ListedAttempt[]
  errors: FieldErrors
}

/** Renders a webhook with its recent attempts. */
export function WebhookPage({ c, webhook, attempts, errors }: Props) {
  const { id, url, state, reason, collections, changes, created, createdBy } = webhook
  const listPath = webhooksPath(c)
  const path = `${listPath}/${id}`
  return (
    <Page
      c={c}
      title="Webhook"
      crumbs={[{ name: 'Webhooks', href: listPath }]}
      tabs={[]}
      actions={
        <ActionMenu
          actions={webhookActions}
          thing={webhook}
          path={path}
          label={`Actions for ${url}`}
          class="plain"
        />
      }
    >
      <dl class="facts">
        <Fact label="Address">{url}</Fact>
        <Fact label="State">{reason ? `${toLabel(state)}: ${reason}` : toLabel(state)}</Fact>
        <Fact label="Messages about">
          {collections.join(', ')}: {changes.join(', ')}
        </Fact>
        <Fact label="Added">
          <Time value={created} /> by {createdBy}
        </Fact>
        <Fact label="Last success">
          <Time value={webhook.lastSuccess} />
        </Fact>
        <Fact label="Failures in a row">{webhook.failures}</Fact>
        <Fact label="Waiting to be sent again">{webhook.waiting}</Fact>
      </dl>
      <section class="section">
        <h2>Send again</h2>
        <FieldsForm
          action={`${path}/resend`}
          fields={resendFields}
          values={{}}
          errors={errors}
          failure="Nothing was sent."
          saveLabel="Send changes again"
        />
      </section>
      <section class="section">
        <h2>Attempts in the last 30 days</h2>
        {attempts.length === 0 ? (
          <p>Nothing has been sent yet.</p>
        ) : (
          <AttemptTable path={path} attempts={attempts} />
        )}
      </section>
    </Page>
  )
}

const resendFields: readonly FormField[] = [
  {
    name: 'since',
    label: 'Since (UK time)',
    help: 'Sends one message for every record that changed since then, with its last change.',
    attributes: { type: 'datetime-local', required: true },
  },
]

const AttemptTable = ({ path, attempts }: { path: string; attempts: ListedAttempt[] }) => (
  <DataTable
    label="Attempts"
    columns={[
      { heading: 'When (UK time)', cell: ({ attempted }) => <Time value={attempted} /> },
      {
        heading: 'Message',
        cell: ({ type, collection, recordId }) => (collection ? `${type} of ${recordId}` : type),
      },
      { heading: 'Attempt', cell: ({ attempt }) => attempt },
      {
        heading: 'Result',
        cell: ({ status, failure }) =>
          [status ?? 'no response', failure].filter(Boolean).join(': '),
      },
      { heading: 'Duration', cell: ({ durationMs }) => `${durationMs} ms` },
      { heading: 'Next attempt', cell: ({ next }) => <Time value={next} /> },
      {
        heading: 'Response',
        cell: ({ response }) =>
          response && (
            <details>
              <summary>{formatCount(response.length, 'character')}</summary>
              <code>{response}</code>
            </details>
          ),
      },
      {
        heading: 'Actions',
        cell: ({ messageId, type, recordId }) => (
          <ActionButton
            action={`${path}/resend/${messageId}`}
            label="Send again"
            class="button plain"
            target={`${type} of ${recordId}`}
          />
        ),
      },
    ]}
    rows={attempts}
  />
)
