import { type SQL, sql } from 'drizzle-orm'
import { summariseAccess } from '../access/describe-access.ts'
import {
  defaultPermissions,
  formatPermissions,
  validatePermissions,
} from '../access/permissions.ts'
import { type Restrictions, serialiseRestrictions } from '../access/restrictions.ts'
import { deleteHint, writeHint } from '../auth/key-hint.ts'
import { generateApiKey } from '../auth/key-text.ts'
import { invalidField } from '../model/api-error.ts'
import type { Databases } from '../platform/bindings.ts'
import { sha256 } from '../platform/sha256.ts'
import { auditInserts } from '../store/audit-entry.ts'
import { probableDatabase } from '../store/databases.ts'
import { ofOrganisation } from '../store/fragments.ts'
import { administration } from '../store/terms.ts'
import { administeredStore } from '../store/trusted-store.ts'

/** A key and the actor who changes it. */
export type KeyAction = { organisationId: string; id: string; by: string }

/** A new key with its secret, shown only once. */
export type NewKey = { id: string; key: string; prefix: string }

export type KeyStorage = Pick<Databases, 'DB' | 'KEYS'>

export type KeyAccess = { permissions: readonly string[]; restrictions: Restrictions }

/** Creates a key with permissions, restrictions and an optional expiry. Throws 400 for invalid permissions. */
export async function createKey(
  { DB, KEYS }: KeyStorage,
  organisationId: string,
  name: string,
  by: string,
  expires?: string,
  permissions: readonly string[] = defaultPermissions,
  restrictions: Restrictions = {},
): Promise<NewKey> {
  const { hash, ...newKey } = await generateKey()
  const access = toColumns({ permissions, restrictions })
  await administeredStore(DB, organisationId, by).write(
    {
      ...administration,
      audit: { action: 'created key', target: keyLabel(name, newKey.prefix) },
    },
    [
      sql`INSERT INTO api_keys (
          id, organisation_id, name, prefix, hash, created, created_by, expires, permissions, restrictions
        )
        VALUES (${newKey.id}, ${organisationId}, ${name}, ${newKey.prefix}, ${hash}, ${now()}, ${by},
          ${expires ?? null}, ${access.permissions}, ${access.restrictions})`,
    ],
  )
  await writeHint(KEYS, hash, {
    keyId: newKey.id,
    organisationId,
    restrictions: access.restrictions,
    database: probableDatabase(organisationId),
  })
  return newKey
}

/** Creates a replacement with the same expiry; the old key works for another `graceSeconds`. Returns undefined if no such key is active. */
export async function rotateKey(
  { DB, KEYS }: KeyStorage,
  { organisationId, id, by }: KeyAction,
  graceSeconds: number,
): Promise<NewKey | undefined> {
  const { hash, ...newKey } = await generateKey()
  const graceEnd = new Date(Date.now() + graceSeconds * 1000).toISOString()
  const restrictions = await writeKey(DB, { organisationId, id, by }, 'rotated key', isActive(), [
    sql`INSERT INTO api_keys
      SELECT ${newKey.id}, organisation_id, name, ${newKey.prefix}, ${hash}, ${now()}, NULL,
        ${by}, nullif(coalesce(original_expires, expires), 'never'), NULL, NULL, permissions, restrictions
      FROM api_keys WHERE id = ${id}`,
    sql`UPDATE api_keys SET expires = min(coalesce(expires, ${graceEnd}), ${graceEnd}),
        original_expires = coalesce(original_expires, expires, 'never')
      WHERE id = ${id} RETURNING restrictions`,
  ])
  if (!restrictions) return undefined
  await writeHint(KEYS, hash, {
    keyId: newKey.id,
    organisationId,
    database: probableDatabase(organisationId),
    restrictions: restrictions.restrictions as string | null,
  })
  return newKey
}

/** Changes the access of a key with effect from its next request. Returns false for an unknown key. Throws 400 for invalid permissions. */
export async function changeKey(
  d1: D1Database,
  key: KeyAction,
  access: KeyAccess,
): Promise<boolean> {
  const { permissions, restrictions } = toColumns(access)
  const action = `changed key to ${summariseAccess({ permissions, restrictions })}`
  const set = sql`permissions = ${permissions}, restrictions = ${restrictions}`
  return (await updateKey(d1, key, action, set, sql`true`)) !== undefined
}

/** Revokes a key with effect from its next request. Returns false if no such key is active. */
export const revokeKey = async (d1: D1Database, key: KeyAction): Promise<boolean> =>
  (await updateKey(d1, key, 'revoked key', sql`revoked = ${now()}`, sql`revoked IS NULL`)) !==
  undefined

/** Revokes the active keys of an organisation in one transaction, with an audit entry for each, and returns them. */
export async function revokeAllKeys(
  d1: D1Database,
  { organisationId, by }: Pick<KeyAction, 'organisationId' | 'by'>,
): Promise<{ id: string; name: string; prefix: string }[]> {
  const where = sql`${ofOrganisation({ organisationId })} AND ${isActive()}`
  const target = keyLabel(sql`name`, sql`prefix`)
  const entry = { organisationId, actor: by, action: 'revoked key', target }
  const { rows } = await administeredStore(d1, organisationId, by).write(administration, [
    auditInserts(entry, sql`FROM api_keys WHERE ${where}`),
    sql`UPDATE api_keys SET revoked = ${now()} WHERE ${where} RETURNING id, name, prefix`,
  ])
  return rows.map(({ id, name, prefix }) => ({
    id: String(id),
    name: String(name),
    prefix: String(prefix),
  }))
}

/** Reactivates a revoked key. Returns false for an unknown key. */
export const reactivateKey = async (d1: D1Database, key: KeyAction): Promise<boolean> =>
  (await updateKey(d1, key, 'reactivated key', sql`revoked = NULL`, sql`revoked IS NOT NULL`)) !==
  undefined

/** Deletes a key. Returns false for an unknown key. */
export async function deleteKey({ DB, KEYS }: KeyStorage, key: KeyAction): Promise<boolean> {
  const deleted = await writeKey(DB, key, 'deleted key', sql`true`, [
    sql`DELETE FROM api_keys WHERE id = ${key.id} RETURNING hash`,
  ])
  if (deleted) await deleteHint(KEYS, String(deleted.hash))
  return deleted !== undefined
}

/** The columns of a key's access. Throws 400 for invalid permissions. */
function toColumns({ permissions, restrictions }: KeyAccess) {
  const error = validatePermissions(permissions)
  if (error) throw invalidField('permissions', 'not_allowed', error)
  return {
    permissions: formatPermissions(permissions),
    restrictions: serialiseRestrictions(restrictions),
  }
}

const updateKey = (d1: D1Database, key: KeyAction, action: string, set: SQL, condition: SQL) =>
  writeKey(d1, key, action, condition, [
    sql`UPDATE api_keys SET ${set} WHERE id = ${key.id} RETURNING id`,
  ])

/** Changes a key that meets a condition, with an audit entry. Returns the last statement's row; undefined without such a key. */
async function writeKey(
  d1: D1Database,
  { organisationId, id, by }: KeyAction,
  action: string,
  condition: SQL,
  statements: readonly SQL[],
) {
  const target = sql`(SELECT ${keyLabel(sql`name`, sql`prefix`)} FROM api_keys WHERE id = ${id})`
  const isKey = sql`id = ${id} AND ${ofOrganisation({ organisationId })} AND ${condition}`
  const { refused, rows } = await administeredStore(d1, organisationId, by).write(
    {
      ...administration,
      unless: { noKey: sql`NOT EXISTS (SELECT 1 FROM api_keys WHERE ${isKey})` },
      audit: { action, target },
    },
    statements,
  )
  return refused ? undefined : rows[0]
}

const isActive = () => sql`revoked IS NULL AND (expires IS NULL OR expires > ${now()})`

const keyLabel = (name: string | SQL, prefix: string | SQL) =>
  sql`${name} || ' (' || ${prefix} || '…)'`

async function generateKey() {
  const key = generateApiKey()
  return { id: crypto.randomUUID(), key, prefix: key.slice(0, 8), hash: await sha256(key) }
}

const now = () => new Date().toISOString()
