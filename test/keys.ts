import type { Restrictions } from '../src/access/restrictions.ts'
import * as keys from '../src/admin/keys.ts'
import type { Databases } from '../src/platform/bindings.ts'
import * as storedKeys from '../src/store/settings/keys.ts'
import { administeredStore } from '../src/store/trusted-store.ts'

/** A key and the actor who changes it. */
type KeyAction = { organisationId: string; id: string; by: string }

type Storage = Pick<Databases, 'DB' | 'KEYS'>

const storeOf = (d1: D1Database, { organisationId, by }: Omit<KeyAction, 'id'>) =>
  administeredStore(d1, organisationId, by)

/** The operations on keys as `by`, an actor whom nothing checks. */
export const createKey = (
  storage: Storage,
  organisationId: string,
  name: string,
  by: string,
  expires?: string,
  permissions?: readonly string[],
  restrictions?: Restrictions,
) => {
  const store = storeOf(storage.DB, { organisationId, by })
  return keys.createKey(storage, store, { name, expires, permissions, restrictions })
}

export const rotateKey = (storage: Storage, key: KeyAction, graceSeconds: number) =>
  keys.rotateKey(storage, storeOf(storage.DB, key), key.id, graceSeconds)

export const changeKey = (d1: D1Database, key: KeyAction, access: keys.KeyAccess) =>
  keys.changeKey(storeOf(d1, key), key.id, access)

export const revokeKey = (d1: D1Database, key: KeyAction) =>
  storedKeys.revokeKey(storeOf(d1, key), key.id)

export const revokeAllKeys = (d1: D1Database, key: Omit<KeyAction, 'id'>) =>
  storedKeys.revokeAllKeys(storeOf(d1, key))

export const reactivateKey = (d1: D1Database, key: KeyAction) =>
  storedKeys.reactivateKey(storeOf(d1, key), key.id)

export const deleteKey = (storage: Storage, key: KeyAction) =>
  keys.deleteKey(storage, storeOf(storage.DB, key), key.id)
