import type { Context } from 'hono'
import type { ListedAttempt, ListedWebhook } from '../../../webhooks/list-webhooks.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { ActionButton } from '../../ui/button.tsx'
import { Field } from '../../ui/form.tsx'
import { Page } from '../../ui/page.tsx'
import { webhooksPath } from '../../ui/paths.ts'
import { ScrollRegion, TableHeader } from '../../ui/table.tsx'
import { Time } from '../../ui/value.tsx'
import { WebhookActions } from './page.tsx'

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
    <Page c={c} title="Webhook">
      <p>
        <a href={listPath}>All webhooks</a>
      </p>
      <section>
        <ScrollRegion label="Webhook">
          <table>
            <tbody>
              <Row title="Address">{url}</Row>
              <Row title="State">{reason ? `${state}: ${reason}` : state}</Row>
              <Row title="Events">
                {collections.join(', ')}: {changes.join(', ')}
              </Row>
              <Row title="Added">
                <Time value={created} /> by {createdBy}
              </Row>
              <Row title="Last success">
                <Time value={webhook.lastSuccess} />
              </Row>
              <Row title="Failures in a row">{webhook.failures}</Row>
              <Row title="Waiting to be resent">{webhook.waiting}</Row>
              <Row title="Change">
                <WebhookActions path={path} name={url} state={state} />
              </Row>
            </tbody>
          </table>
        </ScrollRegion>
      </section>
      <section>
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
          <button type="submit">Send changes again</button>
        </form>
      </section>
      <section>
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

function Row({ title, children }: { title: string; children: unknown }) {
  return (
    <tr>
      <th scope="row">{title}</th>
      <td>{children}</td>
    </tr>
  )
}

function AttemptTable({ path, attempts }: { path: string; attempts: ListedAttempt[] }) {
  return (
    <ScrollRegion label="Attempts" isStacked>
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
            'Change',
          ]}
        />
        <tbody>
          {attempts.map(
            ({ attempted, messageId, type, recordId, collection, response, ...details }) => (
              <tr>
                <td data-label="When (UK time)">
                  <Time value={attempted} />
                </td>
                <td data-label="Message">
                  {type}
                  {collection && ` of ${recordId}`}
                </td>
                <td data-label="Attempt">{details.attempt}</td>
                <td data-label="Result">
                  {details.status ?? 'no response'}
                  {details.failure && `: ${details.failure}`}
                </td>
                <td data-label="Duration">{details.durationMs} ms</td>
                <td data-label="Next attempt">
                  <Time value={details.next} />
                </td>
                <td data-label="Response">
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
