import type { Context } from 'hono'
import type { DashboardEnv } from '../auth/signed-in.ts'
import { collectionNames } from '../model/collection-names.ts'
import { words } from '../model/words.ts'
import { changeNames } from '../webhooks/message.ts'
import type { ShownWebhook } from '../webhooks/shown.ts'
import { Act, Ask } from './act.tsx'
import type { flashOf } from './flash.ts'
import { MadeSecret } from './made-secret.tsx'
import { Page, pathOfWebhooks, Wide } from './page.tsx'
import { Choices, Tick } from './parts/choices.tsx'
import { Field } from './parts/field.tsx'
import { Headings } from './parts/headings.tsx'
import { Time } from './parts/time.tsx'

/** What was typed into the form, to be corrected. */
export type Typed = Record<string, unknown>

type Props = {
  c: Context<DashboardEnv>
  webhooks: ShownWebhook[]
  told: ReturnType<typeof flashOf>
  /** A form that was refused: what was typed, and what is wrong with it by field. */
  typed?: Typed
  faults?: Record<string, string>
}

/** An organisation's webhooks, and a form for another. A secret just made is shown whole, this once. */
export function Webhooks({ c, webhooks, told, typed, faults = {} }: Props) {
  const path = pathOfWebhooks(c)
  return (
    <Page c={c} title="Webhooks">
      <MadeSecret title="The secret of the webhook" secret={told.secret}>
        The receiver verifies with it that a message is from here.
      </MadeSecret>
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
        {typed && <p role="alert">The webhook was not added: see what is marked below.</p>}
        <form method="post" action={path}>
          <Field
            label="Address"
            name="address"
            help="Of your receiver, such as https://hooks.example.org/changes. It is told which record changed, and no value of it."
            fault={faults.address}
          >
            {(tied) => (
              <input
                {...tied}
                type="url"
                required
                maxlength={2048}
                autocomplete="off"
                value={typeof typed?.address === 'string' ? typed.address : ''}
              />
            )}
          </Field>
          <Choices legend="Of these collections" name="collections" fault={faults.collections}>
            <Boxes name="collections" of={collectionNames} typed={typed} />
          </Choices>
          <Choices legend="When a record is" name="changes" fault={faults.changes}>
            <Boxes name="changes" of={changeNames} typed={typed} />
          </Choices>
          <button type="submit">Add webhook</button>
        </form>
      </section>
    </Page>
  )
}

type BoxesProps = { name: string; of: readonly string[]; typed: Typed | undefined }

function Boxes({ name, of, typed }: BoxesProps) {
  const chosen = typed ? [typed[name]].flat() : of
  return (
    <>
      {of.map((value) => (
        <Tick name={name} value={value} ticked={chosen} label={words(value)} />
      ))}
    </>
  )
}

function Table({ path, webhooks }: { path: string; webhooks: ShownWebhook[] }) {
  return (
    <Wide label="Webhooks" stack>
      <table>
        <Headings
          of={['Address', 'State', 'Last success', 'Failures in a row', 'Waiting', 'Change']}
        />
        <tbody>
          {webhooks.map(({ id, url, state, reason, lastSuccess, failures, waiting }) => (
            <tr>
              <th scope="row">
                <a href={`${path}/${id}`}>{url}</a>
              </th>
              <td data-label="State">
                {state}
                {reason && `: ${reason}`}
              </td>
              <td data-label="Last success">
                <Time at={lastSuccess} />
              </td>
              <td data-label="Failures in a row">{failures}</td>
              <td data-label="Waiting">{waiting}</td>
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
      <Ask href={`${path}/rotate`} label="Rotate" name={name} says="Rotate the secret of" />
      <Ask href={`${path}/remove`} label="Remove" name={name} />
    </>
  )
}
