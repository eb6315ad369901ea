import type { Context } from 'hono'
import { toLabel } from '../../../model/properties/compile.ts'
import type { ListedAttempt, ListedWebhook } from '../../../webhooks/list-webhooks.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { ActionButton } from '../../ui/button.tsx'
import { Fact } from '../../ui/fact.tsx'
import { Field } from '../../ui/form.tsx'
import { Page } from '../../ui/page.tsx'
import { webhooksPath } from '../../ui/paths.ts'
import { ScrollRegion, TableHeader } from '../../ui/table.tsx'
import { Time } from '../../ui/value.tsx'
import { WebhookMenu } from './page.tsx'

type Props = {
  c: Context<DashboardEnv>
  webhook: ListedWebhook
  attempts: ListedAttempt[]
  error?: string | undefined
}

/** Renders a webhook with its recent attempts. */
export function WebhookPage({ c, webhook, attempts, error }: Props) {
  const { id, url, state, reason, collections, changes, created, createdBy } = webhook
  const listPath = webhooksPath(c)
  const path = `${listPath}/${id}`
  return (
    <Page
      c={c}
      title="Webhook"
      crumbs={[{ name: 'Webhooks', href: listPath }]}
      tabs={[]}
      actions={<WebhookMenu path={path} name={url} state={state} />}
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
        <form method="post" action={`${path}/resend`}>
          <Field
            label="Since (UK time)"
            name="since"
            help="Sends one message for every record that changed since then, with its last change."
            error={error}
          >
            {(attributes) => <input {...attributes} type="datetime-local" required />}
          </Field>
          <button type="submit" class="button">
            Send changes again
          </button>
        </form>
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

function AttemptTable({ path, attempts }: { path: string; attempts: ListedAttempt[] }) {
  return (
    <ScrollRegion label="Attempts">
      <table>
        <TableHeader
          headings={[
            'When (UK time)',
            'Message',
            'Attempt',
            'Result',
            'Duration',
            'Next attempt',
            'Response',
            'Actions',
          ]}
        />
        <tbody>
          {attempts.map(
            ({ attempted, messageId, type, recordId, collection, response, ...details }) => (
              <tr>
                <td>
                  <Time value={attempted} />
                </td>
                <td>
                  {type}
                  {collection && ` of ${recordId}`}
                </td>
                <td>{details.attempt}</td>
                <td>
                  {details.status ?? 'no response'}
                  {details.failure && `: ${details.failure}`}
                </td>
                <td>{details.durationMs} ms</td>
                <td>
                  <Time value={details.next} />
                </td>
                <td>
                  {response && (
                    <details>
                      <summary>{response.length} characters</summary>
                      <code>{response}</code>
                    </details>
                  )}
                </td>
                <td>
                  <ActionButton
                    action={`${path}/resend/${messageId}`}
                    label="Send again"
                    target={`${type} of ${recordId}`}
                  />
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
