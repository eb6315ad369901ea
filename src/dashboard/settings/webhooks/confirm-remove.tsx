import type { Context } from 'hono'
import type { ListedWebhook } from '../../../webhooks/list-webhooks.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Page, webhooksPath } from '../../ui/page.tsx'

type Props = { c: Context<DashboardEnv>; webhook: ListedWebhook }

/** Asks before a webhook is removed, for that cannot be undone. */
export function ConfirmRemove({ c, webhook: { id, url } }: Props) {
  const listPath = webhooksPath(c)
  return (
    <Page c={c} title="Remove a webhook">
      <Confirm
        action={`${listPath}/${id}/remove`}
        confirmLabel="Remove this webhook for good"
        cancelPath={listPath}
        cancelLabel="Keep it"
      >
        <p>
          Remove <strong>{url}</strong> for good, with what is known of its attempts? Nothing is
          sent to it any more. To stop it for a while, pause it instead: what changes meanwhile is
          sent when it is resumed.
        </p>
      </Confirm>
    </Page>
  )
}

/** Asks before the secret of a webhook is replaced. */
export function ConfirmRotate({ c, webhook: { id, url } }: Props) {
  const listPath = webhooksPath(c)
  return (
    <Page c={c} title="Rotate a secret">
      <Confirm
        action={`${listPath}/${id}/rotate`}
        confirmLabel="Make the new secret"
        cancelPath={listPath}
        cancelLabel="Leave it as it is"
      >
        <p>
          Makes a new secret for <strong>{url}</strong>. For a day, messages are signed with the old
          one as well, so that the receiver can be changed in the meantime.
        </p>
      </Confirm>
    </Page>
  )
}
