import { sql } from 'drizzle-orm/sql'
import { auditInserts } from '../store/audit-entry.ts'
import { statement } from '../store/statement.ts'
import { hostOf } from './address.ts'
import { encryptSecret, generateSecret } from './secret.ts'
import { requireEncryptionKey } from './webhook-keys.ts'
import {
  type NewSecret,
  previousSecretEnd,
  rotationAction,
  type WebhookStorage,
} from './webhooks.ts'

/** A webhook with its new secret, shown only once. */
export type RotatedWebhook = NewSecret & { organisationId: string; url: string }

/**
 * Rotates the secrets of all webhooks in a database, or of one organisation, in one transaction: either all new
 * secrets are returned, or nothing changed. For a day, messages are signed with the old ones too.
 */
export async function rotateAllSecrets(
  { DB, ...keys }: WebhookStorage,
  by: string,
  organisationId?: string,
): Promise<RotatedWebhook[]> {
  const key = requireEncryptionKey(keys)
  const isInScope = sql`webhooks.organisation_id IN (
    SELECT id FROM organisations WHERE database IS NULL AND id = ${organisationId ?? sql`id`}
  )`
  const query = sql`SELECT id, organisation_id AS organisationId, url FROM webhooks
    WHERE ${isInScope} ORDER BY organisation_id, created, id`
  const { results } = await statement(DB, query).all<Omit<RotatedWebhook, 'secret'>>()
  const rotations = await Promise.all(
    results.map(async (webhook) => {
      const secret = generateSecret()
      return { ...webhook, secret, encrypted: await encryptSecret(key, webhook.id, secret) }
    }),
  )
  if (rotations.length === 0) return []
  const values = rotations.map(({ id, url, encrypted }) => ({ id, host: hostOf(url), encrypted }))
  const each = sql`json_each(${JSON.stringify(values)}) AS rotation`
  const isRotated = sql`webhooks.id = rotation.value ->> '$.id' AND ${isInScope}`
  const audit = {
    organisationId: sql`webhooks.organisation_id`,
    actor: by,
    action: rotationAction,
    target: sql`rotation.value ->> '$.host'`,
  }
  const [, updated] = await DB.batch<{ id: string }>([
    statement(DB, auditInserts(audit, sql`FROM ${each} JOIN webhooks ON ${isRotated}`)),
    statement(
      DB,
      sql`UPDATE webhooks SET secret = rotation.value ->> '$.encrypted',
            previous_secret = webhooks.secret, previous_secret_until = ${previousSecretEnd()}
          FROM ${each} WHERE ${isRotated} RETURNING webhooks.id`,
    ),
  ])
  const ids = new Set(updated?.results.map(({ id }) => id))
  return rotations
    .filter(({ id }) => ids.has(id))
    .map(({ id, organisationId, url, secret }) => ({ organisationId, id, url, secret }))
}
