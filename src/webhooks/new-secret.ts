import { ApiError } from '../model/api-error.ts'
import type { Store } from '../store/store.ts'
import {
  insertWebhook,
  maxWebhooks,
  replaceSecret,
  type WebhookSettings,
} from '../store/webhooks/webhooks.ts'
import { hostOf } from './address.ts'
import { encryptSecret, generateSecret } from './secret.ts'
import { requireEncryptionKey, type WebhookKeys } from './webhook-keys.ts'

/** A webhook's new secret, shown only once. */
export type NewSecret = { id: string; secret: string }

const secretGraceMs = 24 * 60 * 60 * 1000

/** The time until which messages are also signed with a secret that is replaced now. */
export const previousSecretEnd = () => new Date(Date.now() + secretGraceMs).toISOString()

/** Adds a webhook for future changes. Throws 409 at the maximum number of webhooks. */
export async function addWebhook(
  keys: WebhookKeys,
  store: Store,
  settings: WebhookSettings,
): Promise<NewSecret> {
  const [id, secret] = [crypto.randomUUID(), generateSecret()]
  const encrypted = await encryptSecret(requireEncryptionKey(keys), id, secret)
  const host = hostOf(settings.url)
  if (!(await insertWebhook(store, { ...settings, id, host, secret: encrypted })))
    throw new ApiError(
      'CONFLICT',
      `An organisation has at most ${maxWebhooks} webhooks: remove one first.`,
    )
  return { id, secret }
}

/** Rotates a webhook's secret; for a day, messages are signed with the old one too. Returns undefined for an unknown webhook. */
export async function rotateSecret(
  keys: WebhookKeys,
  store: Store,
  id: string,
): Promise<NewSecret | undefined> {
  const secret = generateSecret()
  const encrypted = await encryptSecret(requireEncryptionKey(keys), id, secret)
  const previousSecretUntil = previousSecretEnd()
  const isReplaced = await replaceSecret(store, id, { secret: encrypted, previousSecretUntil })
  return isReplaced ? { id, secret } : undefined
}
