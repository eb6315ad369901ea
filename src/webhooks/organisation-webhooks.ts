import type { Bindings } from '../platform/bindings.ts'
import { hostsIn } from './address.ts'
import { localReceivers } from './local-receivers.ts'
import { resendMessage, resendSince, testWebhook } from './on-request.ts'
import { listAttempts, listWebhooks } from './shown.ts'
import {
  addWebhook,
  pauseWebhook,
  removeWebhook,
  resumeWebhook,
  rotateSecret,
  type Wanted,
} from './webhooks.ts'

/** What somebody can do with the webhooks of one organisation, and of no other. */
export type OrganisationWebhooks = ReturnType<typeof organisationWebhooks>

/** The webhooks of one organisation, for `by` to list and change, from a page of this service at `host`. */
export function organisationWebhooks(
  env: Pick<Bindings, 'DB' | 'WEBHOOK_KEY' | 'OWN_HOSTS' | 'CHANGES'>,
  organisationId: string,
  by: string,
  host: string,
) {
  const { DB } = env
  const act = (id: string) => ({ organisationId, by, id })
  /** Has what is to be sent sent now: if the queue fails, within a minute. */
  const begin = async <Done>(done: Promise<Done>): Promise<Done> => {
    const result = await done
    await env.CHANGES.send({ organisationId }).catch(() => {})
    return result
  }
  return {
    surroundings: { own: [...hostsIn(env.OWN_HOSTS), host], local: localReceivers in env },
    list: () => listWebhooks(DB, organisationId),
    attempts: (id: string) => listAttempts(DB, id),
    add: (wanted: Wanted) => addWebhook(env, { organisationId, by }, wanted),
    pause: (id: string) => pauseWebhook(DB, act(id)),
    resume: (id: string) => begin(resumeWebhook(DB, act(id))),
    rotate: (id: string) => rotateSecret(env, act(id)),
    remove: (id: string) => removeWebhook(DB, act(id)),
    test: (id: string) => begin(testWebhook(DB, act(id))),
    resend: (id: string, messageId: string) => begin(resendMessage(DB, act(id), messageId)),
    resendSince: (id: string, since: string) => begin(resendSince(DB, act(id), since)),
  }
}
