import { reactivateKey, revokeAllKeys, revokeKey } from '../../store/settings/keys.ts'
import { listKeys } from '../../store/settings/list-keys.ts'
import { readSchemas } from '../../store/settings/schemas.ts'
import { readUsage } from '../../store/settings/usage.ts'
import { changeKey, createKey, deleteKey, type KeyAccess, rotateKey } from '../keys.ts'
import type { Administration } from './administration.ts'

/** The operations on an organisation's keys. */
export const organisationKeys = ({ bindings, store }: Administration) => {
  const { organisationId } = store
  return {
    list: () => listKeys(bindings.DB, organisationId),
    /** The use of the keys in the last 30 days. */
    usage: () => readUsage(store, { days: 30, daily: false }),
    schemas: () => readSchemas(bindings.DB, organisationId),
    create: (name: string, expires: string | undefined, access: KeyAccess) =>
      createKey(bindings, store, { name, expires, ...access }),
    change: (id: string, access: KeyAccess) => changeKey(store, id, access),
    rotate: (id: string, graceSeconds: number) => rotateKey(bindings, store, id, graceSeconds),
    revoke: (id: string) => revokeKey(store, id),
    revokeAll: () => revokeAllKeys(store),
    reactivate: (id: string) => reactivateKey(store, id),
    delete: (id: string) => deleteKey(bindings, store, id),
  }
}
