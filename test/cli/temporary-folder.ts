import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** An empty folder, gone when the file's tests are done. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cli-'))
  afterAll(() => rm(folder, { recursive: true }))
  return folder
}
