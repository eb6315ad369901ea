import { and, eq, type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { ApiError } from '../model/api-error.ts'
import { ofOrganisation } from '../store/fragments.ts'
import { administration } from '../store/terms.ts'
import { administeredStore } from '../store/trusted-store.ts'
import { webhookOutbox, webhooks } from '../store/webhook-tables.ts'
import { rotationAction } from '../store/webhooks/secrets.ts'
import { hostOf } from './address.ts'
import { encryptSecret, generateSecret } from './secret.ts'
import { requireEncryptionKey, type WebhookKeys } from './webhook-keys.ts'

/** The database of webhooks and the keys that encrypt their secrets. */
export type WebhookStorage = WebhookKeys & { DB: D1Database }

/** An organisation and the actor who changes its webhooks. */
type OrganisationActor = { organisationId: string; by: string }

/** A webhook and the actor who changes it. */
export type WebhookAction = OrganisationActor & { id: string }

/** A webhook's address, checked by `validateAddress`, and the changes it follows. */
export type WebhookSettings = {
  url: string
  collections: readonly string[]
  changes: readonly string[]
}

/** A webhook's new secret, shown only once. */
export type NewSecret = { id: string; secret: string }

/** The maximum number of webhooks in an organisation. */
export const maxWebhooks = 20

const secretGraceMs = 24 * 60 * 60 * 1000

/** The time until which messages are also signed with a secret that is replaced now. */
export const previousSecretEnd = () => new Date(Date.now() + secretGraceMs).toISOString()

/** Adds a webhook for future changes. Throws 409 at the maximum number of webhooks. */
export async function addWebhook(
  { DB, ...keys }: WebhookStorage,
  { organisationId, by }: OrganisationActor,
  { url, collections, changes }: WebhookSettings,
): Promise<NewSecret> {
  const [id, secret] = [crypto.randomUUID(), generateSecret()]
  const encryptedSecret = await encryptSecret(requireEncryptionKey(keys), id, secret)
  const { refused } = await administeredStore(DB, organisationId, by).write(
    {
      ...administration,
      unless: {
        full: sql`(SELECT count(*) FROM webhooks WHERE ${ofOrganisation({ organisationId })}) >= ${maxWebhooks}`,
      },
      audit: { action: 'added webhook', target: hostOf(url) },
    },
    [
      sql`INSERT INTO webhooks
        SELECT ${id}, id, ${url}, ${collections.join()}, ${changes.join()}, ${encryptedSecret}, NULL, NULL,
          ${now()}, ${by}, 'active', NULL, version, version, 0, NULL, NULL, NULL, NULL, NULL
        FROM organisations WHERE id = ${organisationId}`,
    ],
  )
  if (refused)
    throw new ApiError(
      'CONFLICT',
      `An organisation has at most ${maxWebhooks} webhooks: remove one first.`,
    )
  return { id, secret }
}

/** Pauses a webhook; changes wait until it is resumed. Returns false if it is not active. */
export const pauseWebhook = (DB: D1Database, action: WebhookAction) =>
  updateWebhook(DB, action, 'paused webhook', sql`state = 'paused'`, sql`state = 'active'`)

/** Resumes a paused or disabled webhook and sends its outbox. Returns false for any other webhook. */
export async function resumeWebhook(DB: D1Database, action: WebhookAction): Promise<boolean> {
  const set = sql`state = 'active', reason = NULL, failures = 0, failing_since = NULL, retry_after = NULL`
  const isResumed = await updateWebhook(DB, action, 'resumed webhook', set, sql`state <> 'active'`)
  if (isResumed) await sendOutboxNow(DB, action.id)
  return isResumed
}

/** Rotates a webhook's secret; for a day, messages are signed with the old one too. Returns undefined for an unknown webhook. */
export async function rotateSecret(
  { DB, ...keys }: WebhookStorage,
  action: WebhookAction,
): Promise<NewSecret | undefined> {
  const secret = generateSecret()
  const encryptedSecret = await encryptSecret(requireEncryptionKey(keys), action.id, secret)
  const set = sql`secret = ${encryptedSecret}, previous_secret = secret,
    previous_secret_until = ${previousSecretEnd()}`
  const isRotated = await updateWebhook(DB, action, rotationAction, set)
  return isRotated ? { id: action.id, secret } : undefined
}

/** Deletes a webhook with its attempts. Returns false for an unknown webhook. */
export const removeWebhook = (DB: D1Database, action: WebhookAction): Promise<boolean> =>
  writeWebhook(DB, action, 'removed webhook', sql`true`, [
    sql`DELETE FROM webhook_outbox WHERE webhook_id = ${action.id}`,
    sql`DELETE FROM webhook_attempts WHERE webhook_id = ${action.id}`,
    sql`DELETE FROM webhooks WHERE id = ${action.id}`,
  ])

/** Makes every message in the outbox due now. */
async function sendOutboxNow(DB: D1Database, id: string): Promise<void> {
  await drizzle(DB).update(webhookOutbox).set({ due: now() }).where(eq(webhookOutbox.webhookId, id))
}

/** Updates a webhook and writes the audit entry in one transaction. Returns false if the webhook does not meet the condition. */
export const updateWebhook = (
  DB: D1Database,
  webhook: WebhookAction,
  action: string,
  set: SQL,
  condition: SQL = sql`true`,
): Promise<boolean> =>
  writeWebhook(DB, webhook, action, condition, [
    sql`UPDATE webhooks SET ${set} WHERE id = ${webhook.id}`,
  ])

async function writeWebhook(
  DB: D1Database,
  webhook: WebhookAction,
  action: string,
  condition: SQL,
  statements: readonly SQL[],
): Promise<boolean> {
  const { organisationId, id, by } = webhook
  // Only the host: path and query may be secret.
  const target = sql`(
    SELECT substr(rest, 1, instr(rest || '/', '/') - 1)
    FROM (SELECT substr(url, instr(url, '//') + 2) AS rest FROM webhooks WHERE id = ${id})
  )`
  const isWebhook = sql`${matchesWebhook(webhook)} AND ${condition}`
  const { refused } = await administeredStore(DB, organisationId, by).write(
    {
      ...administration,
      unless: { noWebhook: sql`NOT EXISTS (SELECT 1 FROM webhooks WHERE ${isWebhook})` },
      audit: { action, target },
    },
    statements,
  )
  return refused === undefined
}

/** The SQL condition for one webhook of the organisation. */
export const matchesWebhook = ({ organisationId, id }: WebhookAction) =>
  and(eq(webhooks.organisationId, organisationId), eq(webhooks.id, id))

const now = () => new Date().toISOString()
