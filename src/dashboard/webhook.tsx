import type { Context } from 'hono'
import type { DashboardEnv } from '../auth/signed-in.ts'
import type { ShownAttempt, ShownWebhook } from '../webhooks/shown.ts'
import { Act } from './act.tsx'
import { Page, pathOfWebhooks, Wide } from './page.tsx'
import { Field } from './parts/field.tsx'
import { Headings } from './parts/headings.tsx'
import { Time } from './parts/time.tsx'
import { WebhookActs } from './webhooks.tsx'

type Props = {
  c: Context<DashboardEnv>
  webhook: ShownWebhook
  attempts: ShownAttempt[]
  fault?: string | undefined
}

/** A webhook, what was sent to it lately, and what came of that. */
export function WebhookPage({ c, webhook, attempts, fault }: Props) {
  const { id, url, state, reason, collections, changes, created, createdBy } = webhook
  const all = pathOfWebhooks(c)
  const path = `${all}/${id}`
  return (
    <Page c={c} title="Webhook">
      <p>
        <a href={all}>All webhooks</a>
      </p>
      <section>
        <Wide label="The webhook">
          <table>
            <tbody>
              <Row title="Address">{url}</Row>
              <Row title="State">{reason ? `${state}: ${reason}` : state}</Row>
              <Row title="Told of">
                {collections.join(', ')}: {changes.join(', ')}
              </Row>
              <Row title="Added">
                <Time at={created} /> by {createdBy}
              </Row>
              <Row title="Last success">
                <Time at={webhook.lastSuccess} />
              </Row>
              <Row title="Failures in a row">{webhook.failures}</Row>
              <Row title="Waiting to be sent again">{webhook.waiting}</Row>
              <Row title="Change">
                <WebhookActs path={path} name={url} state={state} />
              </Row>
            </tbody>
          </table>
        </Wide>
      </section>
      <section>
        <h2>Send again</h2>
        <form method="post" action={`${path}/resend`}>
          <Field
            label="Since (UK time)"
            name="since"
            help="Every record that changed since then is told of once more, with its last change."
            fault={fault}
          >
            {(tied) => <input {...tied} type="datetime-local" required />}
          </Field>
          <button type="submit">Send everything again</button>
        </form>
      </section>
      <section>
        <h2>Attempts of the last 30 days</h2>
        {attempts.length === 0 ? (
          <p>Nothing has been sent yet.</p>
        ) : (
          <Attempts path={path} attempts={attempts} />
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

function Attempts({ path, attempts }: { path: string; attempts: ShownAttempt[] }) {
  return (
    <Wide label="Attempts" stack>
      <table>
        <Headings
          of={[
            'When (UK time)',
            'Message',
            'Attempt',
            'Came of it',
            'Took',
            'Next',
            'Answer',
            'Change',
          ]}
        />
        <tbody>
          {attempts.map(({ tried, messageId, type, recordId, collection, answer, ...made }) => (
            <tr>
              <td data-label="When (UK time)">
                <Time at={tried} />
              </td>
              <td data-label="Message">
                {type}
                {collection && ` of ${recordId}`}
              </td>
              <td data-label="Attempt">{made.attempt}</td>
              <td data-label="Came of it">
                {made.status ?? 'no answer'}
                {made.fault && `: ${made.fault}`}
              </td>
              <td data-label="Took">{made.milliseconds} ms</td>
              <td data-label="Next">
                <Time at={made.next} />
              </td>
              <td data-label="Answer">
                {answer && (
                  <details>
                    <summary>{answer.length} characters</summary>
                    <code>{answer}</code>
                  </details>
                )}
              </td>
              <td>
                <Act
                  action={`${path}/resend/${messageId}`}
                  label="Send again"
                  name={`${type} of ${recordId}`}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}
