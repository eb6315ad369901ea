import { organisationWebhooks } from '../../../admin/organisation/webhooks.ts'
import type { ListedWebhook } from '../../../store/webhooks/list-webhooks.ts'
import { pauseWebhook, removeWebhook } from '../../../store/webhooks/webhooks.ts'
import type { Action } from '../../ui/actions.tsx'

const isActive = ({ state }: ListedWebhook) => state === 'active'

/** The actions of a webhook. */
export const webhookActions: Readonly<Record<string, Action<ListedWebhook>>> = {
  test: {
    label: 'Test',
    isAvailable: isActive,
    run: (c, id) => c.var.administer(organisationWebhooks).test(id),
    showsThing: true,
  },
  pause: {
    label: 'Pause',
    isAvailable: isActive,
    run: (c, id) => pauseWebhook(c.var.store, id),
  },
  resume: {
    label: 'Resume',
    isAvailable: (webhook) => !isActive(webhook),
    run: (c, id) => c.var.administer(organisationWebhooks).resume(id),
  },
  rotate: {
    label: 'Rotate the secret',
    confirm: ({ url }) => ({
      title: 'Rotate a secret',
      confirmLabel: 'Create new secret',
      text: (
        <p>
          This creates a new secret for <strong>{url}</strong>. Messages are signed with both
          secrets for one day, so that you have time to update the receiver.
        </p>
      ),
    }),
    createSecret: async (c, id) =>
      (await c.var.administer(organisationWebhooks).rotate(id))?.secret,
  },
  remove: {
    label: 'Remove',
    isFinal: true,
    confirm: ({ url }) => ({
      title: 'Remove a webhook',
      confirmLabel: 'Remove this webhook for good',
      cancelLabel: 'Keep webhook',
      text: (
        <p>
          Remove <strong>{url}</strong> for good, with the record of its attempts? It receives no
          more messages. To stop it temporarily, pause it instead: changes made while it is paused
          are sent when you resume it.
        </p>
      ),
    }),
    run: (c, id) => removeWebhook(c.var.store, id),
  },
}
