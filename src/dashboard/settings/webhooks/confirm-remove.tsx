import type { Context } from 'hono'
import type { ListedWebhook } from '../../../webhooks/list-webhooks.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Page, webhooksPath } from '../../ui/page.tsx'

type Props = { c: Context<DashboardEnv>; webhook: ListedWebhook }

/** Asks for confirmation before a webhook is removed for good. */
export function ConfirmRemove({ c, webhook: { id, url } }: Props) {
  const listPath = webhooksPath(c)
  return (
    <Page c={c} title="Remove a webhook">
      <Confirm
        action={`${listPath}/${id}/remove`}
        confirmLabel="Remove this webhook for good"
        cancelPath={listPath}
        cancelLabel="Keep webhook"
      >
        <p>
          Remove <strong>{url}</strong> for good, with the record of its attempts? It receives no
          more messages. To stop it temporarily, pause it instead: changes made while it is paused
          are sent when you resume it.
        </p>
      </Confirm>
    </Page>
  )
}

/** Asks for confirmation before a webhook's secret is replaced. */
export function ConfirmRotate({ c, webhook: { id, url } }: Props) {
  const listPath = webhooksPath(c)
  return (
    <Page c={c} title="Rotate a secret">
      <Confirm
        action={`${listPath}/${id}/rotate`}
        confirmLabel="Create new secret"
        cancelPath={listPath}
        cancelLabel="Cancel"
      >
        <p>
          This creates a new secret for <strong>{url}</strong>. Messages are signed with both
          secrets for one day, so that you have time to update the receiver.
        </p>
      </Confirm>
    </Page>
  )
}
