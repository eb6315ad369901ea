import type { Bindings } from '../../platform/bindings.ts'
import type { Store } from '../../store/store.ts'
import { listAttempts, listWebhooks } from '../../store/webhooks/list-webhooks.ts'
import { resendMessage, resendSince } from '../../store/webhooks/resend.ts'
import {
  pauseWebhook,
  removeWebhook,
  resumeWebhook,
  type WebhookSettings,
} from '../../store/webhooks/webhooks.ts'
import { parseHosts } from '../../webhooks/address.ts'
import { allowsLocalReceivers } from '../../webhooks/local-receivers.ts'
import { addWebhook, rotateSecret } from '../../webhooks/new-secret.ts'
import { sendTestMessage } from '../../webhooks/test-message.ts'

/** The operations on the webhooks of one organisation. */
export type OrganisationWebhooks = ReturnType<typeof organisationWebhooks>

/** The operations on an organisation's webhooks, from a page at `host`. */
export function organisationWebhooks(
  env: Pick<Bindings, 'WEBHOOK_KEY' | 'WEBHOOK_KEY_NEXT' | 'OWN_HOSTS' | 'CHANGES'>,
  store: Store,
  host: string,
) {
  /** Runs an operation and queues deliveries. If the queue fails, deliveries start within a minute. */
  const sendNow = async <Done>(operation: Promise<Done>): Promise<Done> => {
    const result = await operation
    await env.CHANGES.send({ organisationId: store.organisationId }).catch(() => {})
    return result
  }
  return {
    addressRules: {
      ownHosts: [...parseHosts(env.OWN_HOSTS), host],
      allowsLocal: allowsLocalReceivers in env,
    },
    list: () => listWebhooks(store),
    attempts: (id: string) => listAttempts(store, id),
    add: (settings: WebhookSettings) => addWebhook(env, store, settings),
    pause: (id: string) => pauseWebhook(store, id),
    resume: (id: string) => sendNow(resumeWebhook(store, id)),
    rotate: (id: string) => rotateSecret(env, store, id),
    remove: (id: string) => removeWebhook(store, id),
    test: (id: string) => sendNow(sendTestMessage(store, id)),
    resend: (id: string, messageId: string) => sendNow(resendMessage(store, id, messageId)),
    resendSince: (id: string, since: string) => sendNow(resendSince(store, id, since)),
  }
}
