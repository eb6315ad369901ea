import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import type { SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import { ApiError } from '../model/api-error.ts'
import { inTime } from '../platform/in-time.ts'
import { audited } from '../store/audit.ts'
import { webhookAttempts, webhooks, webhookWaiting } from '../store/tables.ts'
import { hostOf } from './address.ts'
import { newSecret, sealed } from './secret.ts'

/** Where webhooks are kept, and the key of their secrets, which only making one needs. */
export type WebhookStorage = { DB: D1Database; WEBHOOK_KEY?: string | undefined }

/** Who acts on the webhooks of which organisation. */
export type Actor = { organisationId: string; by: string }

/** A webhook, and who acts on it. */
export type WebhookAct = Actor & { id: string }

/** What a webhook is told of, and where. The address is one that `addressFault` finds nothing wrong with. */
export type Wanted = { url: string; collections: readonly string[]; changes: readonly string[] }

/** A webhook that was just made, or its new secret: the only time anyone sees it. */
export type NewSecret = { id: string; secret: string }

/** How many webhooks an organisation may have. */
export const mostWebhooks = 20

const graceMilliseconds = 24 * 60 * 60 * 1000

/** Makes a webhook that is told of what changes from now on. Throws 409 where the organisation has as many as it may. */
export async function addWebhook(
  { DB, WEBHOOK_KEY }: WebhookStorage,
  { organisationId, by }: Actor,
  { url, collections, changes }: Wanted,
): Promise<NewSecret> {
  const db = drizzle(DB)
  const [id, secret] = [crypto.randomUUID(), newSecret()]
  const kept = await sealed(demandKey(WEBHOOK_KEY), id, secret)
  const hasRoom = sql`(SELECT count(*) FROM webhooks WHERE organisation_id = ${organisationId}) < ${mostWebhooks}`
  const audit = { organisationId, actor: by, act: 'added webhook', target: hostOf(url) }
  const [, added] = await inTime(
    db.batch([
      audited(db, audit, hasRoom),
      db
        .insert(webhooks)
        .select(
          sql`SELECT ${id}, id, ${url}, ${collections.join()}, ${changes.join()}, ${kept}, NULL, NULL,
            ${now()}, ${by}, 'active', NULL, version, version, 0, NULL, NULL, NULL, NULL, NULL
          FROM organisations WHERE id = ${organisationId} AND ${hasRoom}`,
        )
        .returning({ id: webhooks.id }),
    ]),
  )
  if (added.length === 0) {
    throw new ApiError(
      'CONFLICT',
      `An organisation has at most ${mostWebhooks} webhooks: remove one that is not needed.`,
    )
  }
  return { id, secret }
}

/** Sends a webhook nothing until it is resumed; what changes meanwhile is sent then. False when it is not active. */
export const pauseWebhook = (DB: D1Database, act: WebhookAct) =>
  change(DB, act, 'paused webhook', { state: 'paused' }, eq(webhooks.state, 'active'))

/** Sends again to a webhook that was paused or disabled, beginning with what waits. False when it is neither. */
export async function resumeWebhook(DB: D1Database, act: WebhookAct): Promise<boolean> {
  const set = {
    state: 'active' as const,
    reason: null,
    failures: 0,
    failingSince: null,
    restUntil: null,
  }
  const resumed = await change(DB, act, 'resumed webhook', set, sql`state <> 'active'`)
  if (resumed) await sendWaiting(DB, act.id)
  return resumed
}

/** Gives a webhook a new secret; for a day, messages are signed with the old one as well. Undefined when there is no such webhook. */
export async function rotateSecret(
  { DB, WEBHOOK_KEY }: WebhookStorage,
  act: WebhookAct,
): Promise<NewSecret | undefined> {
  const secret = newSecret()
  const set = {
    secret: await sealed(demandKey(WEBHOOK_KEY), act.id, secret),
    oldSecret: sql`secret`,
    oldSecretUntil: new Date(Date.now() + graceMilliseconds).toISOString(),
  }
  const rotated = await change(DB, act, 'rotated the secret of webhook', set)
  return rotated ? { id: act.id, secret } : undefined
}

/** Removes a webhook with its attempts, for good. False when there is none. */
export async function removeWebhook(DB: D1Database, act: WebhookAct): Promise<boolean> {
  const db = drizzle(DB)
  const isThere = sql`EXISTS (SELECT 1 FROM webhooks WHERE ${ofAct(act)})`
  const [, , , removed] = await inTime(
    db.batch([
      auditOf(db, act, 'removed webhook', ofAct(act)),
      db.delete(webhookWaiting).where(and(eq(webhookWaiting.webhookId, act.id), isThere)),
      db.delete(webhookAttempts).where(and(eq(webhookAttempts.webhookId, act.id), isThere)),
      db.delete(webhooks).where(ofAct(act)).returning({ id: webhooks.id }),
    ]),
  )
  return removed.length > 0
}

/** Has what waits sent at once. */
async function sendWaiting(DB: D1Database, id: string): Promise<void> {
  await inTime(
    drizzle(DB).update(webhookWaiting).set({ due: now() }).where(eq(webhookWaiting.webhookId, id)),
  )
}

/** Changes a webhook of this condition and records that, in one transaction; tells whether there was one. */
export async function change(
  DB: D1Database,
  act: WebhookAct,
  done: string,
  set: SQLiteUpdateSetSource<typeof webhooks>,
  condition?: SQL,
): Promise<boolean> {
  const db = drizzle(DB)
  const where = and(ofAct(act), condition)
  const [, changed] = await inTime(
    db.batch([
      auditOf(db, act, done, where),
      db.update(webhooks).set(set).where(where).returning({ id: webhooks.id }),
    ]),
  )
  return changed.length > 0
}

// Before the act in its batch, while the webhook is still as the act needs it.
function auditOf(
  db: DrizzleD1Database,
  { organisationId, id, by: actor }: WebhookAct,
  act: string,
  where: SQL | undefined,
) {
  // The host alone: what is behind it may be secret.
  const target = sql`(
    SELECT substr(rest, 1, instr(rest || '/', '/') - 1)
    FROM (SELECT substr(url, instr(url, '//') + 2) AS rest FROM webhooks WHERE id = ${id})
  )`
  return audited(
    db,
    { organisationId, actor, act, target },
    sql`EXISTS (SELECT 1 FROM webhooks WHERE ${where})`,
  )
}

/** SQL for whether a webhook is the one acted on. */
export const ofAct = ({ organisationId, id }: WebhookAct) =>
  and(eq(webhooks.organisationId, organisationId), eq(webhooks.id, id))

function demandKey(key: string | undefined): string {
  if (key) return key
  throw new ApiError(
    'UNAVAILABLE',
    'This service has no WEBHOOK_KEY, which secrets are encrypted with: npm run deploy makes one.',
  )
}

const now = () => new Date().toISOString()
