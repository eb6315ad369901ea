import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
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
import { withTimeout } from '../platform/timeout.ts'
import { apiKeys } from '../store/access-tables.ts'
import { auditInserts, insertAuditEntry } from '../store/audit-log.ts'
import { probableDatabase } from '../store/databases.ts'
import { statement } from '../store/statement.ts'

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
  const db = drizzle(DB)
  const { hash, ...newKey } = await generateKey()
  const access = toColumns({ permissions, restrictions })
  await withTimeout(
    db.batch([
      db.insert(apiKeys).values({
        id: newKey.id,
        organisationId,
        name,
        prefix: newKey.prefix,
        hash,
        created: now(),
        createdBy: by,
        expires,
        ...access,
      }),
      insertAuditEntry(db, {
        organisationId,
        actor: by,
        action: 'created key',
        target: keyLabel(name, newKey.prefix),
      }),
    ]),
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
  const db = drizzle(DB)
  const { hash, ...newKey } = await generateKey()
  const graceEnd = new Date(Date.now() + graceSeconds * 1000).toISOString()
  const isReplaceable = and(isActive(organisationId), eq(apiKeys.id, id))
  const [, insertedRows] = await withTimeout(
    db.batch([
      insertKeyAuditEntry(db, { organisationId, id, by }, 'rotated key', isReplaceable),
      db
        .insert(apiKeys)
        .select(
          sql`SELECT ${newKey.id}, organisation_id, name, ${newKey.prefix}, ${hash}, ${now()}, NULL,
          ${by}, nullif(coalesce(original_expires, expires), 'never'), NULL, NULL, permissions, restrictions
          FROM api_keys WHERE ${isReplaceable}`,
        )
        .returning({ restrictions: apiKeys.restrictions }),
      db
        .update(apiKeys)
        .set({
          expires: sql`min(coalesce(expires, ${graceEnd}), ${graceEnd})`,
          originalExpires: sql`coalesce(original_expires, expires, 'never')`,
        })
        .where(isReplaceable),
    ]),
  )
  const [insertedRow] = insertedRows
  if (!insertedRow) return undefined
  await writeHint(KEYS, hash, {
    ...{ keyId: newKey.id, organisationId, database: probableDatabase(organisationId) },
    ...insertedRow,
  })
  return newKey
}

/** Changes the access of a key with effect from its next request. Returns false for an unknown key. Throws 400 for invalid permissions. */
export async function changeKey(
  d1: D1Database,
  key: KeyAction,
  access: KeyAccess,
): Promise<boolean> {
  const set = toColumns(access)
  return updateKey(d1, key, `changed key to ${summariseAccess(set)}`, set, matchesKey(key))
}

/** Revokes a key with effect from its next request. Returns false if no such key is active. */
export function revokeKey(d1: D1Database, key: KeyAction): Promise<boolean> {
  const isNotRevoked = and(matchesKey(key), isNull(apiKeys.revoked))
  return updateKey(d1, key, 'revoked key', { revoked: now() }, isNotRevoked)
}

/** Revokes the active keys of an organisation in one transaction, with an audit entry for each, and returns their number. */
export async function revokeAllKeys(
  d1: D1Database,
  { organisationId, by }: Pick<KeyAction, 'organisationId' | 'by'>,
): Promise<number> {
  const where = isActive(organisationId)
  const target = keyLabel(sql`name`, sql`prefix`)
  const entry = { organisationId, actor: by, action: 'revoked key', target }
  const queries = [
    auditInserts(entry, sql`FROM api_keys WHERE ${where}`),
    sql`UPDATE api_keys SET revoked = ${now()} WHERE ${where} RETURNING id`,
  ]
  const [, revoked] = await withTimeout(d1.batch(queries.map((query) => statement(d1, query))))
  return revoked?.results.length ?? 0
}

/** Reactivates a revoked key. Returns false for an unknown key. */
export function reactivateKey(d1: D1Database, key: KeyAction): Promise<boolean> {
  const isRevoked = and(matchesKey(key), sql`${apiKeys.revoked} IS NOT NULL`)
  return updateKey(d1, key, 'reactivated key', { revoked: null }, isRevoked)
}

/** Deletes a key. Returns false for an unknown key. */
export async function deleteKey({ DB, KEYS }: KeyStorage, key: KeyAction): Promise<boolean> {
  const db = drizzle(DB)
  const [, [deletedRow]] = await withTimeout(
    db.batch([
      insertKeyAuditEntry(db, key, 'deleted key', matchesKey(key)),
      db.delete(apiKeys).where(matchesKey(key)).returning({ hash: apiKeys.hash }),
    ]),
  )
  if (deletedRow) await deleteHint(KEYS, deletedRow.hash)
  return deletedRow !== undefined
}

/** Returns the columns of a key's access. Throws 400 for invalid permissions. */
function toColumns({ permissions, restrictions }: KeyAccess) {
  const error = validatePermissions(permissions)
  if (error) throw invalidField('permissions', 'not_allowed', error)
  return {
    permissions: formatPermissions(permissions),
    restrictions: serialiseRestrictions(restrictions),
  }
}

async function updateKey(
  d1: D1Database,
  key: KeyAction,
  action: string,
  set: Partial<Pick<typeof apiKeys.$inferSelect, 'revoked' | 'permissions' | 'restrictions'>>,
  where: SQL | undefined,
): Promise<boolean> {
  const db = drizzle(d1)
  const [, updatedRows] = await withTimeout(
    db.batch([
      insertKeyAuditEntry(db, key, action, where),
      db.update(apiKeys).set(set).where(where).returning({ id: apiKeys.id }),
    ]),
  )
  return updatedRows.length > 0
}

// Runs before the update in its batch, while the key still meets the condition.
function insertKeyAuditEntry(
  db: DrizzleD1Database,
  key: KeyAction,
  action: string,
  where: SQL | undefined,
) {
  const { organisationId, id, by: actor } = key
  const target = sql`(SELECT ${keyLabel(sql`name`, sql`prefix`)} FROM api_keys WHERE id = ${id})`
  const condition = sql`EXISTS (SELECT 1 FROM api_keys WHERE ${where})`
  return insertAuditEntry(db, { organisationId, actor, action, target }, condition)
}

const isActive = (organisationId: string) =>
  and(
    eq(apiKeys.organisationId, organisationId),
    isNull(apiKeys.revoked),
    sql`(${apiKeys.expires} IS NULL OR ${apiKeys.expires} > ${now()})`,
  )

const matchesKey = ({ organisationId, id }: KeyAction) =>
  and(eq(apiKeys.organisationId, organisationId), eq(apiKeys.id, id))

const keyLabel = (name: string | SQL, prefix: string | SQL) =>
  sql`${name} || ' (' || ${prefix} || '…)'`

async function generateKey() {
  const key = generateApiKey()
  return { id: crypto.randomUUID(), key, prefix: key.slice(0, 8), hash: await sha256(key) }
}

const now = () => new Date().toISOString()
