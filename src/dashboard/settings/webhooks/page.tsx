import type { Context } from 'hono'
import { collectionNames, collectionTitle } from '../../../model/collection.ts'
import { toLabel } from '../../../model/properties/compile.ts'
import type { ListedWebhook } from '../../../webhooks/list-webhooks.ts'
import { changeNames } from '../../../webhooks/message.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { CheckboxGroup, Field } from '../../ui/form.tsx'
import { Menu } from '../../ui/menu.tsx'
import { NewSecret, type takeFlash } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { webhooksPath } from '../../ui/paths.ts'
import { ScrollRegion, TableHeader } from '../../ui/table.tsx'
import { Time } from '../../ui/value.tsx'

/** The values of a rejected form. */
export type WebhookFormValues = Record<string, unknown>

type Props = {
  c: Context<DashboardEnv>
  webhooks: ListedWebhook[]
  flash: ReturnType<typeof takeFlash>
  /** The values of a rejected form, and its errors by field. */
  values?: WebhookFormValues
  errors?: Record<string, string>
}

/** Renders the webhooks with a form for a new one. Shows a new secret once. */
export function WebhooksPage({ c, webhooks, flash, values, errors = {} }: Props) {
  const path = webhooksPath(c)
  return (
    <Page c={c} title="Webhooks">
      <NewSecret title="Your new webhook secret" secret={flash.secret}>
        The receiver uses it to verify that messages come from this service.
      </NewSecret>
      {webhooks.length === 0 ? (
        <p>There are no webhooks yet.</p>
      ) : (
        <WebhookTable path={path} webhooks={webhooks} />
      )}
      <section class="section">
        <h2>Add a webhook</h2>
        {values && <p role="alert">The webhook was not added. Correct the errors below.</p>}
        <form method="post" action={path} class="form">
          <Field
            label="Address"
            name="address"
            help="The URL of your receiver, such as https://hooks.example.org/changes. Messages name the changed record but contain none of its values."
            error={errors.address}
          >
            {(attributes) => (
              <input
                {...attributes}
                type="url"
                required
                maxlength={2048}
                autocomplete="off"
                value={typeof values?.address === 'string' ? values.address : ''}
              />
            )}
          </Field>
          <CheckboxGroup
            legend="Collections"
            name="collections"
            options={toOptions(collectionNames)}
            checkedValues={values ? [values.collections].flat() : collectionNames}
            error={errors.collections}
          />
          <CheckboxGroup
            legend="Changes"
            name="changes"
            options={toOptions(changeNames)}
            checkedValues={values ? [values.changes].flat() : changeNames}
            error={errors.changes}
          />
          <button type="submit" class="button primary">
            Add webhook
          </button>
        </form>
      </section>
    </Page>
  )
}

const toOptions = (names: readonly string[]) =>
  names.map((value) => ({ value, label: collectionTitle(value) }))

function WebhookTable({ path, webhooks }: { path: string; webhooks: ListedWebhook[] }) {
  return (
    <ScrollRegion label="Webhooks">
      <table>
        <TableHeader
          headings={['Address', 'State', 'Last success', 'Failures in a row', 'Waiting', 'Actions']}
        />
        <tbody>
          {webhooks.map(({ id, url, state, reason, lastSuccess, failures, waiting }) => (
            <tr>
              <th scope="row">
                <a href={`${path}/${id}`}>{url}</a>
              </th>
              <td>
                <span class={state === 'active' ? undefined : 'tag warn'}>{toLabel(state)}</span>
                {reason && ` ${reason}`}
              </td>
              <td>
                <Time value={lastSuccess} />
              </td>
              <td class="number">{failures}</td>
              <td class="number">{waiting}</td>
              <td class="number">
                <WebhookMenu path={`${path}/${id}`} name={url} state={state} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

type WebhookMenuProps = { path: string; name: string; state: ListedWebhook['state'] }

/** Renders the menu of a webhook's actions. */
export function WebhookMenu({ path, name, state }: WebhookMenuProps) {
  const actions = state === 'active' ? ['Test', 'Pause'] : ['Resume']
  return (
    <Menu label={`Actions for ${name}`} isRare class="plain">
      {actions.map((action) => (
        <li>
          <form method="post" action={`${path}/${action.toLowerCase()}`}>
            <button type="submit">{action}</button>
          </form>
        </li>
      ))}
      <li>
        <a href={`${path}/rotate`}>Rotate the secret</a>
      </li>
      <li class="apart">
        <a class="danger" href={`${path}/remove`}>
          Remove
        </a>
      </li>
    </Menu>
  )
}
