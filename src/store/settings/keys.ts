import { type SQL, sql } from 'drizzle-orm/sql'
import { summariseAccess } from '../../access/describe-access.ts'
import type { AuditAction } from '../../model/audit-actions.ts'
import { auditInserts, nameActor } from '../audit-entry.ts'
import { decodeRow, nullable, text } from '../columns.ts'
import { deleteWebhooks } from '../delete-webhooks.ts'
import { isActiveKey, ofOrganisation } from '../fragments.ts'
import type { Row } from '../statement.ts'
import type { Store } from '../store.ts'
import { administration } from '../terms.ts'

/** The access of a key in its stored form. */
export type StoredAccess = { permissions: string; restrictions: string | null }

/** A new key: its id, the start of its text, and the hash of its text. */
type StoredKey = { id: string; prefix: string; hash: string }

/** A change of a key that meets a condition, with its action in the audit log. */
type KeyChange = AuditAction & { condition?: SQL }

/** Adds a key. */
export async function insertKey(
  store: Store,
  { id, prefix, hash }: StoredKey,
  { name, expires, access }: { name: string; expires: string | undefined; access: StoredAccess },
): Promise<void> {
  const { organisationId, credential } = store
  const audit = { action: 'key.created', target: keyLabel(name, prefix) } as const
  await store.write({ ...administration, audit }, [
    sql`INSERT INTO api_keys (
        id, organisation_id, name, prefix, hash, created, created_by, expires, permissions, restrictions
      )
      SELECT ${id}, ${organisationId}, ${name}, ${prefix}, ${hash}, ${now()},
        ${nameActor(credential.author)}, ${expires ?? null}, ${access.permissions}, ${access.restrictions}`,
  ])
}

/**
 * Adds a replacement of an active key with the same expiry, access and webhooks; the old key works until `graceEnd`. Returns
 * the restrictions; undefined if no such key is active.
 *
 * The old key's `expires` becomes `graceEnd` if that is earlier, and `original_expires` keeps what it was, 'never' for none:
 * if the old key is replaced again during the grace period, the new replacement gets the original expiry too.
 */
export async function replaceKey(
  store: Store,
  id: string,
  replacement: StoredKey,
  graceEnd: string,
): Promise<Pick<StoredAccess, 'restrictions'> | undefined> {
  const by = nameActor(store.credential.author)
  const row = await writeKey(store, id, { action: 'key.rotated', condition: isActiveKey(now()) }, [
    sql`INSERT INTO api_keys (
        id, organisation_id, name, prefix, hash, created, created_by, expires, permissions, restrictions
      )
      SELECT ${replacement.id}, organisation_id, name, ${replacement.prefix}, ${replacement.hash}, ${now()},
        ${by}, nullif(coalesce(original_expires, expires), 'never'), permissions, restrictions
      FROM api_keys WHERE id = ${id}`,
    sql`UPDATE webhooks SET key_id = ${replacement.id} WHERE key_id = ${id}`,
    sql`UPDATE api_keys SET expires = min(coalesce(expires, ${graceEnd}), ${graceEnd}),
        original_expires = coalesce(original_expires, expires, 'never')
      WHERE id = ${id} RETURNING restrictions`,
  ])
  return row && decodeRow({ restrictions: nullable(text(sql`restrictions`)) }, row)
}

/** Changes the access of a key with effect from its next request. Returns false for an unknown key. */
export const updateAccess = (
  store: Store,
  id: string,
  { permissions, restrictions }: StoredAccess,
): Promise<boolean> =>
  updateKey(store, id, sql`permissions = ${permissions}, restrictions = ${restrictions}`, {
    action: 'key.changed',
    detail: summariseAccess({ permissions, restrictions }),
  })

/** Revokes a key with effect from its next request, and ends its webhooks. Returns false if no such key is active. */
export const revokeKey = (store: Store, id: string): Promise<boolean> =>
  updateKey(
    store,
    id,
    sql`revoked = ${now()}`,
    { action: 'key.revoked', condition: sql`revoked IS NULL` },
    deleteWebhooks(sql`key_id = ${id}`),
  )

/** Revokes the active keys of an organisation in one transaction, with an audit entry for each, and returns them. */
export async function revokeAllKeys(
  store: Store,
): Promise<{ id: string; name: string; prefix: string }[]> {
  const where = sql`${ofOrganisation(store)} AND ${isActiveKey(now())}`
  const entry = {
    organisationId: store.organisationId,
    actor: nameActor(store.credential.author),
    action: 'key.revoked',
    target: keyLabel(sql`name`, sql`prefix`),
  } as const
  const { rows } = await store.write(administration, [
    auditInserts(entry, sql`FROM api_keys WHERE ${where}`),
    ...deleteWebhooks(sql`key_id IN (SELECT id FROM api_keys WHERE ${where})`),
    sql`UPDATE api_keys SET revoked = ${now()} WHERE ${where} RETURNING id, name, prefix`,
  ])
  return rows.map(({ id, name, prefix }) => ({
    id: String(id),
    name: String(name),
    prefix: String(prefix),
  }))
}

/** Reactivates a revoked key. Returns false for an unknown key. */
export const reactivateKey = (store: Store, id: string): Promise<boolean> =>
  updateKey(store, id, sql`revoked = NULL`, {
    action: 'key.reactivated',
    condition: sql`revoked IS NOT NULL`,
  })

/** Removes a key with its webhooks and returns its hash; undefined for an unknown key. */
export async function removeKey(store: Store, id: string): Promise<string | undefined> {
  const row = await writeKey(store, id, { action: 'key.deleted' }, [
    ...deleteWebhooks(sql`key_id = ${id}`),
    sql`DELETE FROM api_keys WHERE id = ${id} RETURNING hash`,
  ])
  return row && String(row.hash)
}

async function updateKey(
  store: Store,
  id: string,
  set: SQL,
  change: KeyChange,
  others: readonly SQL[] = [],
): Promise<boolean> {
  const statement = sql`UPDATE api_keys SET ${set} WHERE id = ${id} RETURNING id`
  return (await writeKey(store, id, change, [...others, statement])) !== undefined
}

/** Changes a key that meets a condition. Returns the last statement's row; undefined without such a key. */
async function writeKey(
  store: Store,
  id: string,
  { condition = sql`true`, ...action }: KeyChange,
  statements: readonly SQL[],
): Promise<Row | undefined> {
  const target = sql`(SELECT ${keyLabel(sql`name`, sql`prefix`)} FROM api_keys WHERE id = ${id})`
  const isKey = sql`id = ${id} AND ${ofOrganisation(store)} AND ${condition}`
  const { refused, rows } = await store.write(
    {
      ...administration,
      unless: { noKey: sql`NOT EXISTS (SELECT 1 FROM api_keys WHERE ${isKey})` },
      audit: { ...action, target },
    },
    statements,
  )
  return refused ? undefined : rows[0]
}

const keyLabel = (name: string | SQL, prefix: string | SQL) =>
  sql`${name} || ' (' || ${prefix} || '…)'`

const now = () => new Date().toISOString()
