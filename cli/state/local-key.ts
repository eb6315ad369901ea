import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createKey, type NewKey } from '../../src/auth/key-acts.ts'
import { listKeys } from '../../src/auth/shown-keys.ts'
import { rights, rightsText } from '../../src/model/rights.ts'
import type { Databases } from '../../src/platform/bindings.ts'

/** The key of an organisation that every `npm start` shows, which may do everything: kept in `folder`, and made where there is none that works. */
export async function localKey(
  bindings: Databases,
  folder: string,
  organisationId: string,
  by: string,
): Promise<string> {
  const file = join(folder, 'local-key.json')
  const kept = await readKey(file)
  const keys = kept ? await listKeys(bindings.DB, organisationId) : []
  const all = rightsText(rights)
  const isKept = keys.some(
    (key) => key.id === kept?.id && key.state === 'active' && key.rights === all,
  )
  if (kept && isKept) return kept.key
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
