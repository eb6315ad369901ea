import { listRotatable, type RotatableWebhook, saveRotations } from '../store/webhooks/secrets.ts'
import { hostOf } from './address.ts'
import { type NewSecret, previousSecretEnd } from './new-secret.ts'
import { encryptSecret, generateSecret } from './secret.ts'
import { requireEncryptionKey, type WebhookKeys } from './webhook-keys.ts'

/** A webhook with its new secret, shown only once. */
export type RotatedWebhook = RotatableWebhook & NewSecret

/**
 * Rotates the secrets of all webhooks in a database, or of one organisation, in one transaction: either all new
 * secrets are returned, or nothing changed. For a day, messages are signed with the old ones too.
 */
export async function rotateAllSecrets(
  { DB, ...keys }: WebhookKeys & { DB: D1Database },
  by: string,
  organisationId?: string,
): Promise<RotatedWebhook[]> {
  const key = requireEncryptionKey(keys)
  const webhooks = await listRotatable(DB, organisationId)
  const rotations = await Promise.all(
    webhooks.map(async (webhook) => {
      const secret = generateSecret()
      return { ...webhook, secret, encrypted: await encryptSecret(key, webhook.id, secret) }
    }),
  )
  if (rotations.length === 0) return []
  const rotated = await saveRotations(DB, by, organisationId, {
    previousSecretUntil: previousSecretEnd(),
    rotations: rotations.map(({ id, url, encrypted }) => ({ id, host: hostOf(url), encrypted })),
  })
  return rotations
    .filter(({ id }) => rotated.has(id))
    .map(({ id, organisationId, url, secret }) => ({ organisationId, id, url, secret }))
}
