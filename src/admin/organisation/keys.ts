import { readSchemas } from '../../store/settings/schemas.ts'
import { createKey, deleteKey, type KeyAccess, rotateKey } from '../keys.ts'
import type { Administration } from './administration.ts'

/** The operations on an organisation's keys that need more than its store. */
export const organisationKeys = ({ bindings, store }: Administration) => ({
  schemas: () => readSchemas(bindings.DB, store.organisationId),
  create: (name: string, expires: string | undefined, access: KeyAccess) =>
    createKey(bindings, store, { name, expires, ...access }),
  rotate: (id: string, graceSeconds: number) => rotateKey(bindings, store, id, graceSeconds),
  delete: (id: string) => deleteKey(bindings, store, id),
})
