import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Finds the files and folders of a state that other users of the machine can read or write. */
export async function findFilesOthersCanAccess(state: string): Promise<string[]> {
  const entries = await readdir(state, { recursive: true, withFileTypes: true })
  const paths = [state, ...entries.map(({ parentPath, name }) => join(parentPath, name))]
  const modes = await Promise.all(paths.map(async (path) => (await stat(path)).mode))
  return paths.filter((_, index) => ((modes[index] ?? 0) & 0o077) !== 0)
}
