import { type SQL, sql } from 'drizzle-orm/sql'
import { webhookPermissions } from '../../access/permissions.ts'
import type { AuditAction } from '../../model/audit-actions.ts'
import { nameActor } from '../audit-entry.ts'
import { deleteWebhooks } from '../delete-webhooks.ts'
import { isActiveKey, ofOrganisation } from '../fragments.ts'
import { statement } from '../statement.ts'
import type { Store } from '../store.ts'
import { administration } from '../terms.ts'

/** A webhook's address, checked by `validateAddress`, and the changes it follows. */
export type WebhookSettings = {
  url: string
  collections: readonly string[]
  changes: readonly string[]
}

/** A new webhook with its encrypted secret. `host` is the part of its address for the audit log. */
type NewWebhook = WebhookSettings & { id: string; host: string; secret: string }

/** A change of a webhook that meets a condition, with its action in the audit log. */
type WebhookChange = WebhookAction & { set: SQL; statements?: readonly SQL[] }

type WebhookAction = AuditAction & { condition?: SQL }

/** The maximum number of webhooks in an organisation. */
export const maxWebhooks = 20

/** The permissions to manage webhooks: keys have a separate one. No webhook follows it. */
export const webhookTerms = (store: Store) =>
  keyOf(store) === null
    ? administration
    : ({ permissions: webhookPermissions, isInternal: true } as const)

/** The SQL condition for the webhooks that the caller manages: a key its own, an administrator all of the organisation. */
export const managedWebhooks = (store: Store): SQL => {
  const keyId = keyOf(store)
  return keyId === null
    ? ofOrganisation(store)
    : sql`${ofOrganisation(store)} AND key_id = ${keyId}`
}

/** Deletes the webhooks of keys that have expired. */
export async function deleteWebhooksOfEndedKeys(d1: D1Database, now: number): Promise<void> {
  const isEnded = sql`key_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM api_keys WHERE api_keys.id = webhooks.key_id AND ${isActiveKey(new Date(now).toISOString())}
  )`
  await d1.batch(deleteWebhooks(isEnded).map((query) => statement(d1, query)))
}

/** Adds a webhook for future changes. Returns false at the maximum number of webhooks. */
export async function insertWebhook(
  store: Store,
  { id, url, host, collections, changes, secret }: NewWebhook,
): Promise<boolean> {
  const { refused } = await store.write(
    {
      ...webhookTerms(store),
      unless: {
        full: sql`(SELECT count(*) FROM webhooks WHERE ${ofOrganisation(store)}) >= ${maxWebhooks}`,
      },
      audit: { action: 'webhook.added', target: host },
    },
    [
      // It follows the changes after the organisation's present version.
      sql`INSERT INTO webhooks (
          id, organisation_id, url, collections, changes, secret, created, created_by, key_id, state, cursor, notified
        )
        SELECT ${id}, id, ${url}, ${collections.join()}, ${changes.join()}, ${secret},
          ${now()}, ${nameActor(store.credential.author)}, ${keyOf(store)}, 'active', version, version
        FROM organisations WHERE id = ${store.organisationId}`,
    ],
  )
  return refused === undefined
}

/** Pauses a webhook; changes wait until it is resumed. Returns false if it is not active. */
export const pauseWebhook = (store: Store, id: string): Promise<boolean> =>
  updateWebhook(store, id, {
    action: 'webhook.paused',
    set: sql`state = 'paused'`,
    condition: sql`state = 'active'`,
  })

/** Resumes a paused or disabled webhook and makes its outbox due. Returns false for any other webhook. */
export const resumeWebhook = (store: Store, id: string): Promise<boolean> =>
  updateWebhook(store, id, {
    action: 'webhook.resumed',
    set: sql`state = 'active', reason = NULL, failures = 0, failing_since = NULL, retry_after = NULL`,
    condition: sql`state <> 'active'`,
    statements: [sql`UPDATE webhook_outbox SET due = ${now()} WHERE webhook_id = ${id}`],
  })

/** Replaces a webhook's secret; messages are signed with the old one too for a while. Returns false for an unknown webhook. */
export const replaceSecret = (
  store: Store,
  id: string,
  { secret, previousSecretUntil }: { secret: string; previousSecretUntil: string },
): Promise<boolean> =>
  updateWebhook(store, id, {
    action: 'webhook.rotated',
    set: sql`secret = ${secret}, previous_secret = secret, previous_secret_until = ${previousSecretUntil}`,
  })

/** Deletes a webhook with its attempts. Returns false for an unknown webhook. */
export const removeWebhook = (store: Store, id: string): Promise<boolean> =>
  writeWebhook(store, id, { action: 'webhook.removed' }, deleteWebhooks(sql`id = ${id}`))

/** Changes a webhook. Returns false if it does not meet the condition. */
export const updateWebhook = (
  store: Store,
  id: string,
  { set, statements = [], ...change }: WebhookChange,
): Promise<boolean> =>
  writeWebhook(store, id, change, [sql`UPDATE webhooks SET ${set} WHERE id = ${id}`, ...statements])

async function writeWebhook(
  store: Store,
  id: string,
  { condition = sql`true`, ...action }: WebhookAction,
  statements: readonly SQL[],
): Promise<boolean> {
  // Only the host: path and query may be secret.
  const target = sql`(
    SELECT substr(rest, 1, instr(rest || '/', '/') - 1)
    FROM (SELECT substr(url, instr(url, '//') + 2) AS rest FROM webhooks WHERE id = ${id})
  )`
  const { refused } = await store.write(
    {
      ...webhookTerms(store),
      unless: { noWebhook: sql`NOT ${webhookExists(store, id, condition)}` },
      audit: { ...action, target },
    },
    statements,
  )
  return refused === undefined
}

/** The SQL condition that the caller manages a webhook that meets a condition. */
export const webhookExists = (store: Store, id: string, condition: SQL = sql`true`): SQL =>
  sql`EXISTS (SELECT 1 FROM webhooks WHERE ${managedWebhooks(store)} AND id = ${id} AND ${condition})`

/** The id of the key that calls; null for a person or the service itself. */
function keyOf({ credential: { author } }: Store): string | null {
  return author.by === 'key' ? author.id : null
}

const now = () => new Date().toISOString()
