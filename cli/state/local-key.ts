import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { changeKey, createKey, type NewKey } from '../../src/auth/key-acts.ts'
import { listKeys } from '../../src/auth/shown-keys.ts'
import { limitsOf } from '../../src/limits/limits.ts'
import { rights, rightsText } from '../../src/model/rights.ts'
import type { Databases } from '../../src/platform/bindings.ts'

/** The key of an organisation that every `npm start` shows, which may do everything: kept in `folder`, and made where none is active. */
export async function localKey(
  bindings: Databases,
  folder: string,
  organisationId: string,
  by: string,
): Promise<string> {
  const file = join(folder, 'local-key.json')
  const kept = await readKey(file)
  const keys = kept ? await listKeys(bindings.DB, organisationId) : []
  const active = keys.find(({ id, state }) => id === kept?.id && state === 'active')
  if (kept && active) {
    // A version with fewer permissions may have made it.
    if (active.rights !== rightsText(rights)) {
      const act = { organisationId, id: active.id, by }
      await changeKey(bindings.DB, act, { may: rights, limits: limitsOf(active.limits) })
    }
    return kept.key
  }
  const made = await createKey(bindings, organisationId, 'npm start', by, undefined, rights)
  await writeFile(file, JSON.stringify(made), { mode: 0o600 })
  return made.key
}

async function readKey(file: string): Promise<NewKey | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
