import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import { inBrief } from '../limits/in-words.ts'
import { type Limits, limitsText } from '../limits/limits.ts'
import { rightsText, usualRights } from '../model/rights.ts'
import type { Databases } from '../platform/bindings.ts'
import { inTime } from '../platform/in-time.ts'
import { sha256 } from '../platform/sha256.ts'
import { audited } from '../store/audit.ts'
import { apiKeys } from '../store/tables.ts'
import { deleteHint, writeHint } from './key-hint.ts'
import { newApiKey } from './key-text.ts'

/** A key of an organisation, and who acts on it. */
export type KeyAct = { organisationId: string; id: string; by: string }

/** A key that was just made, whole: the only time anyone sees it. */
export type NewKey = { id: string; key: string; prefix: string }

export type KeyStorage = Pick<Databases, 'DB' | 'KEYS'>

/** What a key may do, and what it is held to. */
export type KeyRights = { may: readonly string[]; limits: Limits }

/** Makes a key for an organisation, for good or until `expires`, a timestamp, to do what it `may` within its limits. */
export async function createKey(
  { DB, KEYS }: KeyStorage,
  organisationId: string,
  name: string,
  by: string,
  expires?: string,
  may: readonly string[] = usualRights,
  limits: Limits = {},
): Promise<NewKey> {
  const db = drizzle(DB)
  const { hash, ...made } = await newKey()
  await inTime(
    db.batch([
      db.insert(apiKeys).values({
        id: made.id,
        organisationId,
        name,
        prefix: made.prefix,
        hash,
        created: now(),
        createdBy: by,
        expires,
        rights: rightsText(may),
        limits: limitsText(limits),
      }),
      audited(db, {
        organisationId,
        actor: by,
        act: 'created key',
        target: called(name, made.prefix),
      }),
    ]),
  )
  await writeHint(KEYS, hash, { keyId: made.id, organisationId, limits: limitsText(limits) })
  return made
}

/** Makes a key that replaces another, which works for `graceSeconds` more, and lives as long as that one would have; undefined when there is no such key in force. */
export async function rotateKey(
  { DB, KEYS }: KeyStorage,
  { organisationId, id, by }: KeyAct,
  graceSeconds: number,
): Promise<NewKey | undefined> {
  const db = drizzle(DB)
  const { hash, ...made } = await newKey()
  const end = new Date(Date.now() + graceSeconds * 1000).toISOString()
  const old = and(
    eq(apiKeys.organisationId, organisationId),
    eq(apiKeys.id, id),
    isNull(apiKeys.revoked),
    sql`(${apiKeys.expires} IS NULL OR ${apiKeys.expires} > ${now()})`,
  )
  const [, inserted] = await inTime(
    db.batch([
      auditOf(db, { organisationId, id, by }, 'rotated key', old),
      db
        .insert(apiKeys)
        .select(
          sql`SELECT ${made.id}, organisation_id, name, ${made.prefix}, ${hash}, ${now()}, NULL,
          ${by}, nullif(coalesce(own_expires, expires), 'never'), NULL, NULL, rights, limits
          FROM api_keys WHERE ${old}`,
        )
        .returning({ limits: apiKeys.limits }),
      db
        .update(apiKeys)
        .set({
          expires: sql`min(coalesce(expires, ${end}), ${end})`,
          ownExpires: sql`coalesce(own_expires, expires, 'never')`,
        })
        .where(old),
    ]),
  )
  const [copied] = inserted
  if (!copied) return undefined
  await writeHint(KEYS, hash, { keyId: made.id, organisationId, ...copied })
  return made
}

/** Changes what a key may do and what it is held to, from its next request on; false when there is no such key. */
export function changeKey(
  d1: D1Database,
  key: KeyAct,
  { may, limits }: KeyRights,
): Promise<boolean> {
  const set = { rights: rightsText(may), limits: limitsText(limits) }
  return change(d1, key, `changed key to ${inBrief(set)}`, set, ofAct(key))
}

/** Disables a key from the next request on; false when there is no such key in force. */
export function revokeKey(d1: D1Database, key: KeyAct): Promise<boolean> {
  const inForce = and(ofAct(key), isNull(apiKeys.revoked))
  return change(d1, key, 'revoked key', { revoked: now() }, inForce)
}

/** Enables a revoked key again; false when there is no such key. */
export function reactivateKey(d1: D1Database, key: KeyAct): Promise<boolean> {
  const revoked = and(ofAct(key), sql`${apiKeys.revoked} IS NOT NULL`)
  return change(d1, key, 'reactivated key', { revoked: null }, revoked)
}

/** Deletes a key for good; false when there is no such key. */
export async function deleteKey({ DB, KEYS }: KeyStorage, key: KeyAct): Promise<boolean> {
  const db = drizzle(DB)
  const [, [deleted]] = await inTime(
    db.batch([
      auditOf(db, key, 'deleted key', ofAct(key)),
      db.delete(apiKeys).where(ofAct(key)).returning({ hash: apiKeys.hash }),
    ]),
  )
  if (deleted) await deleteHint(KEYS, deleted.hash)
  return deleted !== undefined
}

async function change(
  d1: D1Database,
  key: KeyAct,
  act: string,
  set: Partial<Pick<typeof apiKeys.$inferSelect, 'revoked' | 'rights' | 'limits'>>,
  where: SQL | undefined,
): Promise<boolean> {
  const db = drizzle(d1)
  const [, changed] = await inTime(
    db.batch([
      auditOf(db, key, act, where),
      db.update(apiKeys).set(set).where(where).returning({ id: apiKeys.id }),
    ]),
  )
  return changed.length > 0
}

// Before the act in its batch, while the key is still as the act needs it.
function auditOf(db: DrizzleD1Database, key: KeyAct, act: string, where: SQL | undefined) {
  const { organisationId, id, by: actor } = key
  const target = sql`(SELECT ${called(sql`name`, sql`prefix`)} FROM api_keys WHERE id = ${id})`
  const condition = sql`EXISTS (SELECT 1 FROM api_keys WHERE ${where})`
  return audited(db, { organisationId, actor, act, target }, condition)
}

const ofAct = ({ organisationId, id }: KeyAct) =>
  and(eq(apiKeys.organisationId, organisationId), eq(apiKeys.id, id))

const called = (name: string | SQL, prefix: string | SQL) =>
  sql`${name} || ' (' || ${prefix} || '…)'`

async function newKey() {
  const key = newApiKey()
  return { id: crypto.randomUUID(), key, prefix: key.slice(0, 8), hash: await sha256(key) }
}

const now = () => new Date().toISOString()
