import { resendMessage, resendSince } from '../../store/webhooks/resend.ts'
import { resumeWebhook, type WebhookSettings } from '../../store/webhooks/webhooks.ts'
import { addressRulesOf } from '../../webhooks/address.ts'
import { addWebhook, rotateSecret } from '../../webhooks/new-secret.ts'
import { sendTestMessage } from '../../webhooks/test-message.ts'
import type { Administration } from './administration.ts'

/** The operations on an organisation's webhooks that need more than its store. */
export function organisationWebhooks({ bindings, store, host }: Administration) {
  /** Runs an operation and queues deliveries. If the queue fails, deliveries start within a minute. */
  const sendNow = async <Done>(operation: Promise<Done>): Promise<Done> => {
    const result = await operation
    await bindings.CHANGES.send({ organisationId: store.organisationId }).catch(() => {})
    return result
  }
  return {
    addressRules: addressRulesOf(bindings, host),
    add: (settings: WebhookSettings) => addWebhook(bindings, store, settings),
    resume: (id: string) => sendNow(resumeWebhook(store, id)),
    rotate: (id: string) => rotateSecret(bindings, store, id),
    test: (id: string) => sendNow(sendTestMessage(store, id)),
    resend: (id: string, messageId: string) => sendNow(resendMessage(store, id, messageId)),
    resendSince: (id: string, since: string) => sendNow(resendSince(store, id, since)),
  }
}
