import { listAudit } from '../store/audit.ts'
import {
  createKey,
  deleteKey,
  type KeyStorage,
  listKeys,
  reactivateKey,
  revokeKey,
  rotateKey,
} from './key-acts.ts'

/** What somebody can do with the keys of one organisation, and of no other. */
export type OrganisationKeys = ReturnType<typeof organisationKeys>

/** The keys of one organisation, for `by` to list and change. */
export const organisationKeys = (storage: KeyStorage, organisationId: string, by: string) => {
  const act = (id: string) => ({ organisationId, id, by })
  return {
    list: () => listKeys(storage.DB, organisationId),
    audit: () => listAudit(storage.DB, organisationId),
    create: (name: string, expires?: string, may?: readonly string[]) =>
      createKey(storage, organisationId, name, by, expires, may),
    rotate: (id: string, graceSeconds: number) => rotateKey(storage, act(id), graceSeconds),
    revoke: (id: string) => revokeKey(storage.DB, act(id)),
    reactivate: (id: string) => reactivateKey(storage.DB, act(id)),
    delete: (id: string) => deleteKey(storage, act(id)),
  }
}
