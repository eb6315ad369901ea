import type { Bindings } from '../../platform/bindings.ts'
import { parseHosts } from '../../webhooks/address.ts'
import { listAttempts, listWebhooks } from '../../webhooks/list-webhooks.ts'
import { allowsLocalReceivers } from '../../webhooks/local-receivers.ts'
import { resendMessage, resendSince, sendTestMessage } from '../../webhooks/resend.ts'
import {
  addWebhook,
  pauseWebhook,
  removeWebhook,
  resumeWebhook,
  rotateSecret,
  type WebhookSettings,
} from '../../webhooks/webhooks.ts'

/** The operations on the webhooks of one organisation. */
export type OrganisationWebhooks = ReturnType<typeof organisationWebhooks>

/** The operations on an organisation's webhooks, with `by` as the actor, from a page at `host`. */
export function organisationWebhooks(
  env: Pick<Bindings, 'DB' | 'WEBHOOK_KEY' | 'WEBHOOK_KEY_NEXT' | 'OWN_HOSTS' | 'CHANGES'>,
  organisationId: string,
  by: string,
  host: string,
) {
  const { DB } = env
  const toAction = (id: string) => ({ organisationId, by, id })
  /** Runs an operation and queues deliveries. If the queue fails, deliveries start within a minute. */
  const sendNow = async <Done>(operation: Promise<Done>): Promise<Done> => {
    const result = await operation
    await env.CHANGES.send({ organisationId }).catch(() => {})
    return result
  }
  return {
    addressRules: {
      ownHosts: [...parseHosts(env.OWN_HOSTS), host],
      allowsLocal: allowsLocalReceivers in env,
    },
    list: () => listWebhooks(DB, organisationId),
    attempts: (id: string) => listAttempts(DB, id),
    add: (settings: WebhookSettings) => addWebhook(env, { organisationId, by }, settings),
    pause: (id: string) => pauseWebhook(DB, toAction(id)),
    resume: (id: string) => sendNow(resumeWebhook(DB, toAction(id))),
    rotate: (id: string) => rotateSecret(env, toAction(id)),
    remove: (id: string) => removeWebhook(DB, toAction(id)),
    test: (id: string) => sendNow(sendTestMessage(DB, toAction(id))),
    resend: (id: string, messageId: string) => sendNow(resendMessage(DB, toAction(id), messageId)),
    resendSince: (id: string, since: string) => sendNow(resendSince(DB, toAction(id), since)),
  }
}
