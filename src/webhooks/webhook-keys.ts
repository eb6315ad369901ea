import { ApiError } from '../model/api-error.ts'
import { decryptSecret, isWebhookKey } from './secret.ts'

/** The settings that encrypt the secrets of webhooks. While `WEBHOOK_KEY_NEXT` is set, both keys open secrets. */
export type WebhookKeys = {
  WEBHOOK_KEY?: string | undefined
  WEBHOOK_KEY_NEXT?: string | undefined
}

/** The key that encrypts new secrets: the next one, if there is any. Throws 503 without a key. */
export function requireEncryptionKey(keys: WebhookKeys): string {
  const [key] = listKeys(keys)
  if (key) return key
  throw new ApiError(
    'UNAVAILABLE',
    'WEBHOOK_KEY, which encrypts webhook secrets, is not set: npm run deploy creates one.',
  )
}

/** Decrypts a webhook's secret with the key that opens it. Returns undefined if none does. */
export async function openSecret(
  keys: WebhookKeys,
  id: string,
  encrypted: string,
): Promise<string | undefined> {
  for (const key of listKeys(keys)) {
    const secret = await decryptSecret(key, id, encrypted).catch(() => undefined)
    if (secret !== undefined) return secret
  }
  return undefined
}

const listKeys = ({ WEBHOOK_KEY, WEBHOOK_KEY_NEXT }: WebhookKeys) =>
  [WEBHOOK_KEY_NEXT ?? '', WEBHOOK_KEY ?? ''].filter(isWebhookKey)
