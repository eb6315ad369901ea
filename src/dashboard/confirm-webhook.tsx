import type { Context } from 'hono'
import type { DashboardEnv } from '../auth/signed-in.ts'
import type { ShownWebhook } from '../webhooks/shown.ts'
import { Page, pathOfWebhooks } from './page.tsx'
import { Confirm } from './parts/confirm.tsx'

type Props = { c: Context<DashboardEnv>; webhook: ShownWebhook }

/** Asks before a webhook is removed, for that cannot be undone. */
export function ConfirmRemove({ c, webhook: { id, url } }: Props) {
  const webhooks = pathOfWebhooks(c)
  return (
    <Page c={c} title="Remove a webhook">
      <Confirm
        action={`${webhooks}/${id}/remove`}
        act="Remove this webhook for good"
        back={webhooks}
        keep="Keep it"
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
export function ConfirmRotation({ c, webhook: { id, url } }: Props) {
  const webhooks = pathOfWebhooks(c)
  return (
    <Page c={c} title="Rotate a secret">
      <Confirm
        action={`${webhooks}/${id}/rotate`}
        act="Make the new secret"
        back={webhooks}
        keep="Leave it as it is"
      >
        <p>
          Makes a new secret for <strong>{url}</strong>. For a day, messages are signed with the old
          one as well, so that the receiver can be changed in the meantime.
        </p>
      </Confirm>
    </Page>
  )
}
