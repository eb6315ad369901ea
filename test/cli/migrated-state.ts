import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { withBindings } from '../../cli/state/bindings.ts'
import { temporaryFolder } from './temporary-folder.ts'

// A migrated state is cached, since applying the migrations takes longer than most tests. The name depends on everything it is made from.
const hash = createHash('sha256')
for (const file of [
  ...globSync('migrations/*/*.sql'),
  'cli/state/bindings.ts',
  'package-lock.json',
])
  hash.update(readFileSync(file))
const cacheFolder = resolve('node_modules/.cache/state', hash.digest('hex'))

/** Creates a folder with an empty migrated state, which is deleted after the file's tests. */
export async function migratedState(): Promise<string> {
  const folder = await temporaryFolder()
  await copyMigrated(folder)
  return folder
}

/** Creates such a folder. The caller removes it. */
export async function newMigratedFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cli-'))
  await copyMigrated(folder)
  return folder
}

/** Copies an empty migrated state into a folder. */
export async function copyMigrated(folder: string): Promise<void> {
  if (!existsSync(cacheFolder)) await makeMigrated()
  await cp(cacheFolder, folder, { recursive: true })
}

// Another process may be doing the same, so the folder is renamed when complete.
async function makeMigrated(): Promise<void> {
  await mkdir(dirname(cacheFolder), { recursive: true })
  const folder = await mkdtemp(`${cacheFolder}-`)
  await withBindings({ persistTo: folder }, async () => {})
  try {
    await rename(folder, cacheFolder)
  } catch (error) {
    if (!existsSync(cacheFolder)) throw error
    await rm(folder, { recursive: true })
  }
}
