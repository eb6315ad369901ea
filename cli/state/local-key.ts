import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatPermissions, fullPermissions } from '../../src/access/permissions.ts'
import { parseRestrictions } from '../../src/access/restriction-effects.ts'
import { changeKey, createKey, type NewKey } from '../../src/admin/keys.ts'
import type { Databases } from '../../src/platform/bindings.ts'
import { listKeys } from '../../src/store/settings/list-keys.ts'
import { administeredStore } from '../../src/store/trusted-store.ts'

/** An organisation's key for `npm start`, to read and write everything. Stores it in `folder` and creates a new one if none is active. */
export async function ensureLocalKey(
  bindings: Databases,
  folder: string,
  organisationId: string,
  by: string,
): Promise<string> {
  const store = administeredStore(bindings.DB, organisationId, by)
  const file = join(folder, 'local-key.json')
  const storedKey = await readStoredKey(file)
  const keys = storedKey ? await listKeys(store) : []
  const active = keys.find(({ id, state }) => id === storedKey?.id && state === 'active')
  if (storedKey && active) {
    // An earlier version may have created the key with fewer permissions.
    if (active.permissions !== formatPermissions(fullPermissions)) {
      await changeKey(store, active.id, {
        permissions: fullPermissions,
        restrictions: parseRestrictions(active.restrictions),
      })
    }
    return storedKey.key
  }
  const newKey = await createKey(bindings, store, {
    name: 'npm start',
    permissions: fullPermissions,
  })
  await writeFile(file, JSON.stringify(newKey), { mode: 0o600 })
  return newKey.key
}

async function readStoredKey(file: string): Promise<NewKey | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
