import type { Context } from 'hono'
import type { DashboardEnv } from '../auth/signed-in.ts'
import { collectionNames } from '../model/collection-names.ts'
import { changeNames } from '../webhooks/message.ts'
import type { NewSecret, ShownWebhook } from '../webhooks/webhooks.ts'
import { Act } from './act.tsx'
import { MadeSecret } from './made-secret.tsx'
import { Page, pathOf, Time, Wide } from './page.tsx'

/** What was typed into the form, to be corrected. */
export type Typed = Record<string, unknown>

type Props = {
  c: Context<DashboardEnv>
  webhooks: ShownWebhook[]
  made?: NewSecret
  fault?: string
  typed?: Typed
}

/** An organisation's webhooks, and a form for another. A secret just made is shown whole, this once. */
export function Webhooks({ c, webhooks, made, fault, typed }: Props) {
  const path = `${pathOf(c.var.membership?.organisationId ?? '')}/settings/webhooks`
  return (
    <Page c={c} title="Webhooks">
      <div role="status">
        {made && (
          <MadeSecret title="The secret of the webhook" secret={made.secret}>
            The receiver verifies with it that a message is from here.
          </MadeSecret>
        )}
      </div>
      {fault && <p role="alert">{fault}</p>}
      <section>
        <h2>Addresses that are told of changes</h2>
        {webhooks.length === 0 ? (
          <p>There are no webhooks yet.</p>
        ) : (
          <Table path={path} webhooks={webhooks} />
        )}
      </section>
      <section>
        <h2>Add a webhook</h2>
        <form method="post" action={path}>
          <label>
            Address
            <input
              name="address"
              type="url"
              required
              maxlength={2048}
              autocomplete="off"
              value={typeof typed?.address === 'string' ? typed.address : ''}
              aria-describedby="address-help"
            />
          </label>
          <small id="address-help">
            Of your receiver, such as https://hooks.example.org/changes. It is told which record
            changed, and no value of it.
          </small>
          <Choices
            legend="Of these collections"
            name="collections"
            of={collectionNames}
            typed={typed}
          />
          <Choices legend="When a record is" name="changes" of={changeNames} typed={typed} />
          <button type="submit">Add webhook</button>
        </form>
      </section>
    </Page>
  )
}

type ChoicesProps = {
  legend: string
  name: string
  of: readonly string[]
  typed: Typed | undefined
}

function Choices({ legend, name, of, typed }: ChoicesProps) {
  const chosen = typed ? [typed[name]].flat() : of
  return (
    <fieldset>
      <legend>{legend}</legend>
      {of.map((value) => (
        <label>
          <input type="checkbox" name={name} value={value} checked={chosen.includes(value)} />
          {value.replaceAll('-', ' ')}
        </label>
      ))}
    </fieldset>
  )
}

function Table({ path, webhooks }: { path: string; webhooks: ShownWebhook[] }) {
  return (
    <Wide label="Webhooks">
      <table>
        <thead>
          <tr>
            {['Address', 'State', 'Last success', 'Failures in a row', 'Waiting', 'Change'].map(
              (heading) => (
                <th scope="col">{heading}</th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {webhooks.map(({ id, url, state, reason, lastSuccess, failures, waiting }) => (
            <tr>
              <th scope="row">
                <a href={`${path}/${id}`}>{url}</a>
              </th>
              <td>
                {state}
                {reason && `: ${reason}`}
              </td>
              <td>
                <Time at={lastSuccess} />
              </td>
              <td class="number">{failures}</td>
              <td class="number">{waiting}</td>
              <td>
                <WebhookActs path={`${path}/${id}`} name={url} state={state} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}

type ActsProps = { path: string; name: string; state: ShownWebhook['state'] }

/** What may be done to a webhook. */
export function WebhookActs({ path, name, state }: ActsProps) {
  return (
    <>
      {state === 'active' ? (
        <>
          <Act action={`${path}/test`} label="Test" name={name} />
          <Act action={`${path}/pause`} label="Pause" name={name} />
        </>
      ) : (
        <Act action={`${path}/resume`} label="Resume" name={name} />
      )}
      <a href={`${path}/rotate`} aria-label={`Rotate the secret of ${name}`}>
        Rotate
      </a>
      <a href={`${path}/remove`} aria-label={`Remove ${name}`}>
        Remove
      </a>
    </>
  )
}
