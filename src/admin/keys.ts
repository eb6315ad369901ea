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
import { probableDatabase } from '../store/databases.ts'
import {
  insertKey,
  removeKey,
  replaceKey,
  type StoredAccess,
  updateAccess,
} from '../store/settings/keys.ts'
import type { Store } from '../store/store.ts'

/** A new key with its secret, shown only once. */
export type NewKey = { id: string; key: string; prefix: string }

/** The KV namespace with a hint for each key: its organisation and restrictions, so that a request need not search them in every database. */
export type KeyHints = Pick<Databases, 'KEYS'>

export type KeyAccess = { permissions: readonly string[]; restrictions: Restrictions }

type KeySettings = {
  name: string
  expires?: string | undefined
  permissions?: readonly string[] | undefined
  restrictions?: Restrictions | undefined
}

/** Creates a key with permissions, restrictions and an optional expiry. Throws 400 for invalid permissions. */
export async function createKey(
  { KEYS }: KeyHints,
  store: Store,
  { name, expires, permissions = defaultPermissions, restrictions = {} }: KeySettings,
): Promise<NewKey> {
  const { hash, key, ...newKey } = await generateKey()
  const access = toStored({ permissions, restrictions })
  await insertKey(store, { ...newKey, hash }, { name, expires, access })
  await writeHint(KEYS, hash, toHint(store, newKey.id, access))
  return { id: newKey.id, key, prefix: newKey.prefix }
}

/** Creates a replacement with the same expiry; the old key works for another `graceSeconds`. Returns undefined if no such key is active. */
export async function rotateKey(
  { KEYS }: KeyHints,
  store: Store,
  id: string,
  graceSeconds: number,
): Promise<NewKey | undefined> {
  const { hash, key, ...newKey } = await generateKey()
  const graceEnd = new Date(Date.now() + graceSeconds * 1000).toISOString()
  const replaced = await replaceKey(store, id, { ...newKey, hash }, graceEnd)
  if (!replaced) return undefined
  await writeHint(KEYS, hash, toHint(store, newKey.id, replaced))
  return { id: newKey.id, key, prefix: newKey.prefix }
}

/** Changes the access of a key with effect from its next request. Returns false for an unknown key. Throws 400 for invalid permissions. */
export const changeKey = async (store: Store, id: string, access: KeyAccess): Promise<boolean> =>
  updateAccess(store, id, toStored(access))

/** Deletes a key with its hint. Returns false for an unknown key. */
export async function deleteKey({ KEYS }: KeyHints, store: Store, id: string): Promise<boolean> {
  const hash = await removeKey(store, id)
  if (hash !== undefined) await deleteHint(KEYS, hash)
  return hash !== undefined
}

/** The stored form of a key's access. Throws 400 for invalid permissions. */
function toStored({ permissions, restrictions }: KeyAccess): StoredAccess {
  const error = validatePermissions(permissions)
  if (error) throw invalidField('permissions', 'not_allowed', error)
  return {
    permissions: formatPermissions(permissions),
    restrictions: serialiseRestrictions(restrictions),
  }
}

const toHint = (
  { organisationId }: Store,
  keyId: string,
  { restrictions }: Pick<StoredAccess, 'restrictions'>,
) => ({ keyId, organisationId, restrictions, database: probableDatabase(organisationId) })

async function generateKey() {
  const key = generateApiKey()
  return { id: crypto.randomUUID(), key, prefix: key.slice(0, 8), hash: await sha256(key) }
}
