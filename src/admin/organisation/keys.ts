import type { Databases } from '../../platform/bindings.ts'
import { reactivateKey, revokeAllKeys, revokeKey } from '../../store/settings/keys.ts'
import { listKeys } from '../../store/settings/list-keys.ts'
import { readSchemas } from '../../store/settings/schemas.ts'
import type { Store } from '../../store/store.ts'
import { changeKey, createKey, deleteKey, type KeyAccess, rotateKey } from '../keys.ts'
import { readUsage } from '../usage.ts'

/** The operations on the keys of one organisation. */
export type OrganisationKeys = ReturnType<typeof organisationKeys>

/** The operations on an organisation's keys. */
export const organisationKeys = (storage: Pick<Databases, 'DB' | 'KEYS'>, store: Store) => {
  const { organisationId } = store
  return {
    list: () => listKeys(storage.DB, organisationId),
    /** The use of the keys in the last 30 days. */
    usage: () => readUsage(storage.DB, organisationId, { days: 30, daily: false }),
    schemas: () => readSchemas(storage.DB, organisationId),
    create: (name: string, expires: string | undefined, access: KeyAccess) =>
      createKey(storage, store, { name, expires, ...access }),
    change: (id: string, access: KeyAccess) => changeKey(store, id, access),
    rotate: (id: string, graceSeconds: number) => rotateKey(storage, store, id, graceSeconds),
    revoke: (id: string) => revokeKey(store, id),
    revokeAll: () => revokeAllKeys(store),
    reactivate: (id: string) => reactivateKey(store, id),
    delete: (id: string) => deleteKey(storage, store, id),
  }
}
