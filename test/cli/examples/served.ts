import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'
import { once } from '../../../src/platform/once.ts'
import { createKey } from '../../keys.ts'
import { localWorker } from '../local-worker.ts'
import { newChangingOrganisation } from './changing-organisation.ts'
import { startCountingServer } from './counting-server.ts'

/**
 * Serves an organisation with records in every collection to the examples: directly, and through a proxy that counts
 * requests. All test files of a process share it, and some change it: a file reads what it has before it begins.
 */
export async function serveExamples() {
  const served = await startServing()
  afterAll(served.worker.expectDiscretion)
  return served
}

const startServing = once(async () => {
  const worker = await localWorker()
  const { env: bindings, organisationId, url } = worker
  const { key } = await createKey(bindings, organisationId, 'examples', 'a test')
  const requests = await startCountingServer(url.origin)
  const apiUrl = `${url.origin}/api/v1`
  return {
    worker,
    organisation: await newChangingOrganisation(bindings, organisationId, { apiUrl, key }),
    requests,
    /** The environment of an example that calls the service. */
    env: { ...process.env, API_URL: apiUrl, API_KEY: key },
    /** The environment of an example that calls the proxy. */
    countedEnv: { ...process.env, API_URL: `${requests.origin}/api/v1`, API_KEY: key },
  }
})

export const run = promisify(execFile)

/** Returns whether a program is installed. */
export function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
