import { type SQL, sql } from 'drizzle-orm/sql'
import type { Bindings } from '../platform/bindings.ts'
import { logWarning } from '../platform/log.ts'
import { statement } from '../store/statement.ts'
import { encryptSecret } from './secret.ts'
import { openSecret, type WebhookKeys } from './webhook-keys.ts'

type ReEncryption = WebhookKeys & Pick<Bindings, 'DB' | 'VERSION'>

type Secrets = { secret: string; previousSecret: string | null }

type StoredSecrets = Secrets & {
  id: string
  organisationId: string
  /** The previous secret while messages are signed with it. */
  validPreviousSecret: string | null
}

type SecretChange = { id: string; before: Secrets; after: Secrets }

/** A webhook with a secret that a key does not open. */
export type UnreadableWebhook = Pick<StoredSecrets, 'id' | 'organisationId'>

const pageSize = 200

// The previous version of the Worker has only the old key. It may still be sending, or be restored if this one
// fails its smoke test.
const waitMs = 15 * 60_000

// A move copies the webhooks of an organisation before it is here.
const isHere = sql`webhooks.organisation_id IN (SELECT id FROM organisations WHERE database IS NULL)`

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
    if (changes.length > 0) reEncrypted += await storeSecrets(DB, changes)
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

async function* readSecrets(d1: D1Database): AsyncGenerator<StoredSecrets[]> {
  let last = ''
  for (;;) {
    const query: SQL = sql`SELECT id, organisation_id AS organisationId, secret, previous_secret AS previousSecret,
        iif(previous_secret_until > ${new Date().toISOString()}, previous_secret, NULL) AS validPreviousSecret
      FROM webhooks WHERE id > ${last} AND ${isHere} ORDER BY id LIMIT ${sql.raw(String(pageSize))}`
    const { results } = await statement(d1, query).all<StoredSecrets>()
    if (results.length > 0) yield results
    if (results.length < pageSize) return
    last = results.at(-1)?.id ?? ''
  }
}

/** Stores secrets unless somebody has rotated them, and returns the number of changed webhooks. */
async function storeSecrets(d1: D1Database, changes: readonly SecretChange[]): Promise<number> {
  const change = (name: string) => sql.raw(`change.value ->> '$.${name}'`)
  const query = sql`UPDATE webhooks
    SET secret = ${change('after.secret')}, previous_secret = ${change('after.previousSecret')}
    FROM json_each(${JSON.stringify(changes)}) AS change
    WHERE webhooks.id = ${change('id')} AND webhooks.secret = ${change('before.secret')}
      AND webhooks.organisation_id IN (SELECT id FROM organisations WHERE database IS NULL AND moving_to IS NULL)
    RETURNING webhooks.id`
  const { results } = await statement(d1, query).all()
  return results.length
}
