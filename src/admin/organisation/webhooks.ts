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
import type { Administration } from './administration.ts'

/** The operations on an organisation's webhooks. */
export function organisationWebhooks({ bindings, store, host }: Administration) {
  /** Runs an operation and queues deliveries. If the queue fails, deliveries start within a minute. */
  const sendNow = async <Done>(operation: Promise<Done>): Promise<Done> => {
    const result = await operation
    await bindings.CHANGES.send({ organisationId: store.organisationId }).catch(() => {})
    return result
  }
  return {
    addressRules: {
      ownHosts: [...parseHosts(bindings.OWN_HOSTS), host],
      allowsLocal: allowsLocalReceivers in bindings,
    },
    list: () => listWebhooks(store),
    attempts: (id: string) => listAttempts(store, id),
    add: (settings: WebhookSettings) => addWebhook(bindings, store, settings),
    pause: (id: string) => pauseWebhook(store, id),
    resume: (id: string) => sendNow(resumeWebhook(store, id)),
    rotate: (id: string) => rotateSecret(bindings, store, id),
    remove: (id: string) => removeWebhook(store, id),
    test: (id: string) => sendNow(sendTestMessage(store, id)),
    resend: (id: string, messageId: string) => sendNow(resendMessage(store, id, messageId)),
    resendSince: (id: string, since: string) => sendNow(resendSince(store, id, since)),
  }
}
