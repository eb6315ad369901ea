import { type SQL, sql } from 'drizzle-orm/sql'
import { auditInserts } from '../audit-entry.ts'
import { statement } from '../statement.ts'

type Secrets = { secret: string; previousSecret: string | null }

/** A webhook's encrypted secrets. */
export type StoredSecrets = Secrets & {
  id: string
  organisationId: string
  /** The previous secret while messages are signed with it. */
  validPreviousSecret: string | null
}

/** New secrets, each with the secret that it replaces. */
export type SecretChange = { id: string; before: Secrets; after: Secrets }

/** A webhook with a secret that can be rotated. */
export type RotatableWebhook = { id: string; organisationId: string; url: string }

/** The new secrets of webhooks, encrypted, and until when messages are signed with the old ones too. */
type Rotations = {
  rotations: readonly { id: string; host: string; encrypted: string }[]
  previousSecretUntil: string
}

const pageSize = 200

// A move copies the webhooks of an organisation before it is here.
const isHere = (organisationId?: string) => sql`webhooks.organisation_id IN (
  SELECT id FROM organisations WHERE database IS NULL AND id = ${organisationId ?? sql`id`}
)`

/** Lists the webhooks of a database, or of one organisation. */
export async function listRotatable(
  d1: D1Database,
  organisationId?: string,
): Promise<RotatableWebhook[]> {
  const query = sql`SELECT id, organisation_id AS organisationId, url FROM webhooks
    WHERE ${isHere(organisationId)} ORDER BY organisation_id, created, id`
  return (await statement(d1, query).all<RotatableWebhook>()).results
}

/** Saves new secrets in one transaction, with an audit entry for each. Returns the ids of the webhooks that are still there. */
export async function saveRotations(
  d1: D1Database,
  by: string,
  organisationId: string | undefined,
  { rotations, previousSecretUntil }: Rotations,
): Promise<ReadonlySet<string>> {
  const each = sql`json_each(${JSON.stringify(rotations)}) AS rotation`
  const isRotated = sql`webhooks.id = rotation.value ->> '$.id' AND ${isHere(organisationId)}`
  const audit = {
    organisationId: sql`webhooks.organisation_id`,
    actor: by,
    action: 'webhook.rotated',
    target: sql`rotation.value ->> '$.host'`,
  } as const
  const [, updated] = await d1.batch<{ id: string }>([
    statement(d1, auditInserts(audit, sql`FROM ${each} JOIN webhooks ON ${isRotated}`)),
    statement(
      d1,
      sql`UPDATE webhooks SET secret = rotation.value ->> '$.encrypted',
            previous_secret = webhooks.secret, previous_secret_until = ${previousSecretUntil}
          FROM ${each} WHERE ${isRotated} RETURNING webhooks.id`,
    ),
  ])
  return new Set(updated?.results.map(({ id }) => id))
}

/** Reads the secrets of all webhooks in a database, by pages. */
export async function* readSecrets(d1: D1Database): AsyncGenerator<StoredSecrets[]> {
  let last = ''
  for (;;) {
    const query: SQL = sql`SELECT id, organisation_id AS organisationId, secret, previous_secret AS previousSecret,
        iif(previous_secret_until > ${new Date().toISOString()}, previous_secret, NULL) AS validPreviousSecret
      FROM webhooks WHERE id > ${last} AND ${isHere()} ORDER BY id LIMIT ${sql.raw(String(pageSize))}`
    const { results } = await statement(d1, query).all<StoredSecrets>()
    if (results.length > 0) yield results
    if (results.length < pageSize) return
    last = results.at(-1)?.id ?? ''
  }
}

/** Replaces secrets unless somebody has rotated them, and returns the number of changed webhooks. */
export async function replaceSecrets(
  d1: D1Database,
  changes: readonly SecretChange[],
): Promise<number> {
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
