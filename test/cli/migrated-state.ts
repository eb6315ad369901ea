import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { withBindings } from '../../cli/state/bindings.ts'
import { temporaryFolder } from './temporary-folder.ts'

// Whatever a migrated state follows from: applying the migrations takes longer than most tests.
const made = createHash('sha256')
for (const file of [
  ...globSync('migrations/*/*.sql'),
  'cli/state/bindings.ts',
  'package-lock.json',
])
  made.update(readFileSync(file))
const migrated = resolve('node_modules/.cache/state', made.digest('hex'))

/** A folder with an empty state, its databases migrated; gone when the file's tests are done. */
export async function migratedState(): Promise<string> {
  const folder = await temporaryFolder()
  await copyMigrated(folder)
  return folder
}

/** The same, for whoever removes it. */
export async function copyOfMigrated(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cli-'))
  await copyMigrated(folder)
  return folder
}

/** Puts an empty state into a folder, its databases migrated. */
export async function copyMigrated(folder: string): Promise<void> {
  if (!existsSync(migrated)) await makeMigrated()
  await cp(migrated, folder, { recursive: true })
}

// Another process may be making the same: what has the name is whole.
async function makeMigrated(): Promise<void> {
  await mkdir(dirname(migrated), { recursive: true })
  const folder = await mkdtemp(`${migrated}-`)
  await withBindings({ persistTo: folder }, async () => {})
  try {
    await rename(folder, migrated)
  } catch (error) {
    if (!existsSync(migrated)) throw error
    await rm(folder, { recursive: true })
  }
}
