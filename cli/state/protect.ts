import { chmod, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Restricts a folder of local state to its owner, including files that this process and its children create there later. */
export async function protectState(state: string): Promise<void> {
  process.umask(0o077)
  const databases = join(state, 'v3')
  await mkdir(databases, { recursive: true })
  await chmod(state, 0o700)
  await chmod(databases, 0o700)
  for (const entry of await readdir(databases, { recursive: true, withFileTypes: true })) {
    if (!entry.isDirectory() && !entry.isFile()) continue
    const mode = entry.isDirectory() ? 0o700 : 0o600
    await chmod(join(entry.parentPath, entry.name), mode).catch(ignoreMissing)
  }
}

// A running service may remove the logs of its databases at any time.
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
