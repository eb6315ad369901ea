import { type SQL, sql } from 'drizzle-orm/sql'
import { accessPolicyFor } from '../../access/access-policy.ts'
import { hasPermissions } from '../../access/credential.ts'
import { webhookPermissions } from '../../access/permissions.ts'
import { kindNames } from '../../model/properties/schema.ts'
import { isActiveKey, ofOrganisation } from '../fragments.ts'
import { feedVisibility } from '../read/feed-visibility.ts'
import { schemaColumn } from '../read/single.ts'
import { statement } from '../statement.ts'
import type { FeedEntry, OutboxMessage } from './messages.ts'

/** A webhook leased to a delivery, with its encrypted secrets. */
export type LeasedWebhook = {
  id: string
  organisationId: string
  url: string
  collections: readonly string[]
  changes: readonly string[]
  secret: string
  previousSecret: string | null
  previousSecretUntil: string | null
  /** The last version of the feed that its deliveries have read. */
  cursor: number
  /** The version at which the webhook last caught up with the feed. */
  notified: number
  failures: number
  failingSince: string | null
  lastSuccess: string | null
  /** The organisation's current version. */
  newest: number
  /** The restrictions of its key; null without a key or restrictions. */
  restrictions: string | null
  /** The schemas of people as JSON texts, if its key does not see every field. */
  schemas: Readonly<Record<string, string | undefined>> | null
}

/** A message in the outbox. `isSuperseded`: the cursor has yet to reach a later change of its record. */
type WaitingMessage = OutboxMessage & { isSuperseded: boolean }

/** The next messages of a webhook: the outbox by due time, and new entries of the feed. `webhook` is undefined without a lease. */
export type DeliveryBatch = {
  webhook: LeasedWebhook | undefined
  outbox: WaitingMessage[]
  entries: FeedEntry[]
}

/** A webhook with its key's restrictions, the token of its lease, and the number of feed entries to read. */
type BatchQuery = {
  id: string
  organisationId: string
  restrictions: string | null
  token: string
  now: number
  window: number
}

/** SQL for the restrictions of a webhook's key. */
export const keyRestrictions = sql`(SELECT restrictions FROM api_keys WHERE id = webhooks.key_id)`

/**
 * The SQL condition that a webhook may send: an administrator added it, or its key still works and may read. Each batch
 * asks again, so a webhook ends with its key.
 */
export const mayRead = (now: string): SQL => sql`(
  webhooks.key_id IS NULL OR EXISTS (
    SELECT 1 FROM api_keys WHERE id = webhooks.key_id AND ${isActiveKey(now)}
      AND ${hasPermissions(webhookPermissions, sql`api_keys`)}
  )
)`

/** Runs statements and reads the next messages in one transaction. */
export async function readNextBatch(
  d1: D1Database,
  statementsBefore: readonly SQL[],
  query: BatchQuery,
): Promise<DeliveryBatch> {
  const statements = [
    ...statementsBefore,
    webhookQuery(query),
    outboxQuery(query),
    feedQuery(query),
  ]
  const results = await d1.batch<{ json: string }>(statements.map((query) => statement(d1, query)))
  const [webhooks = [], outbox = [], entries = []] = results
    .slice(statementsBefore.length)
    .map(({ results }) => results.map(({ json }) => JSON.parse(json)))
  return { webhook: webhooks[0], outbox, entries }
}

// A batch is read for the restrictions that the key had when it was prepared. If they have changed, it has no webhook.
const webhookQuery = ({ id, organisationId, token, restrictions, now }: BatchQuery) => sql`
  SELECT json_object(
    'id', id, 'organisationId', organisation_id, 'url', url, 'secret', secret,
    'collections', ${toJsonList(sql`collections`)}, 'changes', ${toJsonList(sql`changes`)},
    'previousSecret', previous_secret, 'previousSecretUntil', previous_secret_until,
    'cursor', cursor, 'notified', notified, 'failures', failures, 'failingSince', failing_since, 'lastSuccess', last_success,
    'newest', (SELECT version FROM organisations WHERE id = ${organisationId}),
    'restrictions', ${restrictions},
    'schemas', ${accessPolicyFor(restrictions).hidesFields ? schemasOf(organisationId) : sql`NULL`}
  ) AS json
  FROM webhooks WHERE id = ${id} AND lease = ${token}
    AND ${keyRestrictions} IS ${restrictions} AND ${mayRead(new Date(now).toISOString())}`

const schemasOf = (organisationId: string) =>
  sql`json_object(${sql.join(
    kindNames.flatMap((kind) => [sql`${kind}`, schemaColumn(organisationId, kind)]),
    sql`, `,
  )})`

const outboxQuery = ({ id, organisationId }: BatchQuery) => sql`
  SELECT json_object(
    'collection', collection, 'recordId', record_id, 'messageId', message_id, 'type', type,
    'version', version, 'changed', json(changed), 'at', at,
    'attempts', attempts, 'firstAttempt', first_attempt, 'due', due,
    'isSuperseded', json(iif(
      ${hasLaterChange(sql`records`, organisationId, id)} OR ${hasLaterChange(sql`deletions`, organisationId, id)},
      'true', 'false'
    ))
  ) AS json
  FROM webhook_outbox WHERE webhook_id = ${id} ORDER BY due`

/** SQL that tests whether the record of a waiting message has a change after the webhook's cursor in a table. */
const hasLaterChange = (table: SQL, organisationId: string, webhookId: string) => sql`EXISTS (
  SELECT 1 FROM ${table} AS latest WHERE latest.organisation_id = ${organisationId}
    AND latest.collection = webhook_outbox.collection AND latest.id = record_id
    AND latest.version > (SELECT cursor FROM webhooks WHERE id = ${webhookId})
)`

/**
 * SQL for the feed entries after a webhook's cursor, in order, with the changed fields of
 * the collections that it follows. The feed has each record once, at its last version.
 */
function feedQuery(query: BatchQuery): SQL {
  const { id, window, restrictions } = query
  const { isShown, isRecordListed, isDeletionListed } = feedVisibility(
    accessPolicyFor(restrictions).hiddenRecords(),
  )
  const cursor = sql`(SELECT cursor FROM webhooks WHERE id = ${id})`
  const notifiedVersion = sql`(SELECT notified FROM webhooks WHERE id = ${id})`
  const collections = sql`(SELECT ',' || collections || ',' FROM webhooks WHERE id = ${id})`
  const isAfterCursor = sql`${ofOrganisation(query)} AND version > ${cursor}`
  return sql`
    SELECT json_object(
      'version', version, 'collection', collection, 'recordId', entries.id, 'at', at,
      'firstVersion', first_version, 'isVisible', json(iif(is_visible, 'true', 'false')),
      'changed', json(CASE
        WHEN first_version IS NULL OR NOT instr(${collections}, ',' || collection || ',') THEN '[]'
        WHEN first_version > ${notifiedVersion} THEN (
          SELECT json_group_array(key) FROM json_each(document) WHERE substr(key, 1, 1) <> '$'
        )
        ELSE (SELECT json_group_array(key) FROM json_each(field_versions) WHERE value > ${notifiedVersion})
      END)
    ) AS json
    FROM (
      SELECT version, collection, id, at, NULL AS first_version, NULL AS document, NULL AS field_versions,
        true AS is_visible
      FROM deletions WHERE ${isAfterCursor} AND ${isDeletionListed}
      UNION ALL
      SELECT version, collection, id, changed, iif(${isShown}, first_version, NULL), document, field_versions,
        ${isRecordListed}
      FROM records WHERE ${isAfterCursor}
      ORDER BY version LIMIT ${sql.raw(String(window))}
    ) AS entries`
}

// Safe without escaping: names consist of letters and hyphens.
const toJsonList = (names: SQL) => sql`json('["' || replace(${names}, ',', '","') || '"]')`
