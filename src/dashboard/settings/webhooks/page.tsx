import type { Context } from 'hono'
import { collectionNames, collectionTitle } from '../../../model/collection.ts'
import type { ListedWebhook } from '../../../webhooks/list-webhooks.ts'
import { changeNames } from '../../../webhooks/message.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { ActionButton, ActionLink } from '../../ui/button.tsx'
import { CheckboxGroup, Field } from '../../ui/form.tsx'
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
      <section>
        <h2>Webhooks</h2>
        {webhooks.length === 0 ? (
          <p>There are no webhooks yet.</p>
        ) : (
          <WebhookTable path={path} webhooks={webhooks} />
        )}
      </section>
      <section>
        <h2>Add a webhook</h2>
        {values && <p role="alert">The webhook was not added. Correct the errors below.</p>}
        <form method="post" action={path}>
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
          <button type="submit">Add webhook</button>
        </form>
      </section>
    </Page>
  )
}

const toOptions = (names: readonly string[]) =>
  names.map((value) => ({ value, label: collectionTitle(value) }))

function WebhookTable({ path, webhooks }: { path: string; webhooks: ListedWebhook[] }) {
  return (
    <ScrollRegion label="Webhooks" isStacked>
      <table>
        <TableHeader
          headings={['Address', 'State', 'Last success', 'Failures in a row', 'Waiting', 'Change']}
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
                <Time value={lastSuccess} />
              </td>
              <td data-label="Failures in a row">{failures}</td>
              <td data-label="Waiting">{waiting}</td>
              <td>
                <WebhookActions path={`${path}/${id}`} name={url} state={state} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

type WebhookActionsProps = { path: string; name: string; state: ListedWebhook['state'] }

/** Renders the action buttons of a webhook. */
export function WebhookActions({ path, name, state }: WebhookActionsProps) {
  return (
    <>
      {state === 'active' ? (
        <>
          <ActionButton action={`${path}/test`} label="Test" target={name} />
          <ActionButton action={`${path}/pause`} label="Pause" target={name} />
        </>
      ) : (
        <ActionButton action={`${path}/resume`} label="Resume" target={name} />
      )}
      <ActionLink
        href={`${path}/rotate`}
        label="Rotate"
        target={name}
        longLabel="Rotate the secret of"
      />
      <ActionLink href={`${path}/remove`} label="Remove" target={name} />
    </>
  )
}
