import { inTime } from '../platform/in-time.ts'
import { listAudit } from '../store/audit.ts'
import { schemasOf } from '../store/schemas.ts'
import {
  changeKey,
  createKey,
  deleteKey,
  type KeyRights,
  type KeyStorage,
  reactivateKey,
  revokeKey,
  rotateKey,
} from './key-acts.ts'
import { listKeys } from './shown-keys.ts'
import { usageOf } from './usage.ts'

/** What somebody can do with the keys of one organisation, and of no other. */
export type OrganisationKeys = ReturnType<typeof organisationKeys>

/** The keys of one organisation, for `by` to list and change. */
export const organisationKeys = (storage: KeyStorage, organisationId: string, by: string) => {
  const act = (id: string) => ({ organisationId, id, by })
  return {
    list: () => listKeys(storage.DB, organisationId),
    audit: () => listAudit(storage.DB, organisationId),
    /** What they were used for in the last 30 days. */
    usage: () => usageOf(storage.DB, organisationId, { days: 30, daily: false }),
    /** The fields of the people whom a key may see. */
    schemas: () => inTime(schemasOf(storage.DB, organisationId)),
    create: (name: string, expires: string | undefined, { may, limits }: KeyRights) =>
      createKey(storage, organisationId, name, by, expires, may, limits),
    change: (id: string, rights: KeyRights) => changeKey(storage.DB, act(id), rights),
    rotate: (id: string, graceSeconds: number) => rotateKey(storage, act(id), graceSeconds),
    revoke: (id: string) => revokeKey(storage.DB, act(id)),
    reactivate: (id: string) => reactivateKey(storage.DB, act(id)),
    delete: (id: string) => deleteKey(storage, act(id)),
  }
}
