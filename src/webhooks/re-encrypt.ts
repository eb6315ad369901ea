import type { Bindings } from '../platform/bindings.ts'
import { logWarning } from '../platform/log.ts'
import {
  readSecrets,
  replaceSecrets,
  type SecretChange,
  type StoredSecrets,
} from '../store/webhooks/secrets.ts'
import { encryptSecret } from './secret.ts'
import { openSecret, type WebhookKeys } from './webhook-keys.ts'

type ReEncryption = WebhookKeys & Pick<Bindings, 'DB' | 'VERSION'>

/** A webhook with a secret that a key does not open. */
export type UnreadableWebhook = Pick<StoredSecrets, 'id' | 'organisationId'>

// The previous version of the Worker has only the old key. It may still be sending, or be restored if this one
// fails its smoke test.
const waitMs = 15 * 60_000

/**
 * Encrypts every secret in a database with WEBHOOK_KEY_NEXT that WEBHOOK_KEY still opens, if both are set. Starts a
 * quarter of an hour after the deployment. An interrupted run can be repeated: a page of webhooks is one statement.
 */
export async function reEncryptSecrets(env: ReEncryption, now: number): Promise<void> {
  const { DB, WEBHOOK_KEY: oldKey, WEBHOOK_KEY_NEXT: newKey, VERSION } = env
  if (!oldKey || !newKey || oldKey === newKey) return
  if (now - Date.parse(VERSION?.timestamp ?? '') < waitMs) return
  let [reEncrypted, unreadable] = [0, 0]
  for await (const page of readSecrets(DB)) {
    const changes: SecretChange[] = []
    for (const { id, secret, previousSecret } of page) {
      const before = { secret, previousSecret }
      const newSecret = await reEncrypt({ oldKey, newKey }, id, secret)
      const newPrevious =
        previousSecret && (await reEncrypt({ oldKey, newKey }, id, previousSecret))
      if (newSecret === undefined) unreadable++
      const after = {
        secret: newSecret ?? secret,
        previousSecret: newPrevious ?? previousSecret,
      }
      if (after.secret !== secret || after.previousSecret !== previousSecret)
        changes.push({ id, before, after })
    }
    if (changes.length > 0) reEncrypted += await replaceSecrets(DB, changes)
  }
  if (reEncrypted > 0 || unreadable > 0) logWarning('webhook-secrets', { reEncrypted, unreadable })
}

/** The number of webhooks in a database, and those with a secret that the key does not open. */
export async function checkWebhookKey(
  d1: D1Database,
  WEBHOOK_KEY: string,
): Promise<{ webhooks: number; unreadable: UnreadableWebhook[] }> {
  let webhooks = 0
  const unreadable: UnreadableWebhook[] = []
  for await (const page of readSecrets(d1)) {
    webhooks += page.length
    for (const { id, organisationId, secret, validPreviousSecret } of page) {
      const opened = await Promise.all(
        [secret, validPreviousSecret]
          .filter((encrypted) => encrypted !== null)
          .map((encrypted) => openSecret({ WEBHOOK_KEY }, id, encrypted)),
      )
      if (opened.includes(undefined)) unreadable.push({ id, organisationId })
    }
  }
  return { webhooks, unreadable }
}

/** A secret as encrypted with the new key: unchanged if it already is, undefined if neither key opens it. */
async function reEncrypt(
  { oldKey, newKey }: { oldKey: string; newKey: string },
  id: string,
  encrypted: string,
): Promise<string | undefined> {
  if ((await openSecret({ WEBHOOK_KEY: newKey }, id, encrypted)) !== undefined) return encrypted
  const secret = await openSecret({ WEBHOOK_KEY: oldKey }, id, encrypted)
  return secret && encryptSecret(newKey, id, secret)
}
