import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createKey, listKeys, type NewKey } from '../../src/auth/key-acts.ts'
import type { Bindings } from '../../src/platform/bindings.ts'

/** The key of an organisation that every `npm start` shows: kept in `folder`, and made where there is none that works. */
export async function localKey(
  bindings: Bindings,
  folder: string,
  organisationId: string,
  by: string,
): Promise<string> {
  const file = join(folder, 'local-key.json')
  const kept = await readKey(file)
  const keys = kept ? await listKeys(bindings.DB, organisationId) : []
  if (kept && keys.some(({ id, state }) => id === kept.id && state === 'active')) return kept.key
  const made = await createKey(bindings, organisationId, 'npm start', by)
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
