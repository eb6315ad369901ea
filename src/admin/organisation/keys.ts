import { readSchemas } from '../../store/settings/schemas.ts'
import {
  changeKey,
  createKey,
  deleteKey,
  type KeyAccess,
  type KeyStorage,
  reactivateKey,
  revokeAllKeys,
  revokeKey,
  rotateKey,
} from '../keys.ts'
import { listKeys } from '../list-keys.ts'
import { readUsage } from '../usage.ts'

/** The operations on the keys of one organisation. */
export type OrganisationKeys = ReturnType<typeof organisationKeys>

/** The operations on an organisation's keys, with `by` as the actor. */
export const organisationKeys = (storage: KeyStorage, organisationId: string, by: string) => {
  const keyAction = (id: string) => ({ organisationId, id, by })
  return {
    list: () => listKeys(storage.DB, organisationId),
    /** The use of the keys in the last 30 days. */
    usage: () => readUsage(storage.DB, organisationId, { days: 30, daily: false }),
    schemas: () => readSchemas(storage.DB, organisationId),
    create: (name: string, expires: string | undefined, { permissions, restrictions }: KeyAccess) =>
      createKey(storage, organisationId, name, by, expires, permissions, restrictions),
    change: (id: string, access: KeyAccess) => changeKey(storage.DB, keyAction(id), access),
    rotate: (id: string, graceSeconds: number) => rotateKey(storage, keyAction(id), graceSeconds),
    revoke: (id: string) => revokeKey(storage.DB, keyAction(id)),
    revokeAll: () => revokeAllKeys(storage.DB, { organisationId, by }),
    reactivate: (id: string) => reactivateKey(storage.DB, keyAction(id)),
    delete: (id: string) => deleteKey(storage, keyAction(id)),
  }
}
