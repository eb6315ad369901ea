import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import {
  createTestHarness,
  unstable_readConfig as readConfig,
  type TestHarnessOptions,
} from 'wrangler'
import { stateWorker } from '../../cli/state/database.ts'
import { demoRecords } from '../../load/demo-records.ts'
import { local } from '../../src/auth/local.ts'
import { addUser } from '../../src/auth/memberships.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { newWebhookKey } from '../../src/webhooks/secret.ts'
import { telling, textsIn } from '../logs/told.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** What `npm start` serves, on storage of its own, with an organisation that the local administrator manages. */
export async function startLocalWorker(jwks: string) {
  const read = readConfig({ config: './wrangler.toml' })
  const { name, compatibility_date, compatibility_flags, assets, vars } = read
  const { d1_databases, kv_namespaces, ratelimits, queues, triggers } = read
  const config = {
    name,
    assets,
    main: './src/local.ts',
    compatibility_date,
    compatibility_flags,
    d1_databases,
    kv_namespaces,
    ratelimits,
    queues,
    triggers,
    vars: { ...vars, LOCAL_JWKS: jwks, LOCAL_WEBHOOKS: 'true', WEBHOOK_KEY: newWebhookKey() },
  }
  return started({ config })
}

/** What `wrangler deploy --outdir` put into a folder, with variables of our choice. */
export const startDeployedWorker = (folder: string, vars: Record<string, string>) =>
  started({ configPath: './wrangler.toml', prebuiltWorkerDir: folder, vars })

type Served = NonNullable<TestHarnessOptions['workers']>[number]

async function started(served: Served) {
  const { compatibility_date, d1_databases } = readConfig({ config: './wrangler.toml' })
  const { script, databases } = stateWorker()
  const folder = await temporaryFolder()
  const main = join(folder, 'state.js')
  await writeFile(main, script)
  const beside = { name: 'state', main, compatibility_date, d1_databases }
  const harness = createTestHarness({ workers: [served, { config: beside }] })
  const { url } = await harness.listen()
  const worker = harness.getWorker<Bindings>()
  await worker.applyD1Migrations('DB')
  await worker.applyD1Migrations('GEOGRAPHY')
  const state = harness.getWorker('state')
  const env = {
    ...(await worker.getEnv()),
    ...databases((url, init) => state.fetch(url, init)),
  }
  const organisationId = 'demo'
  await env.DB.prepare('INSERT INTO organisations (id, name, created) VALUES (?, ?, ?)')
    .bind(organisationId, 'Demo Charity', '2025-01-01T00:00:00.000Z')
    .run()
  const by = 'a test'
  await addUser(env.DB, { organisationId, email: local.administrator, role: 'admin', by })
  return {
    url,
    env,
    organisationId,
    fetch: harness.fetch,
    /** Stops it; what it wrote must tell of no record. */
    async close() {
      const lines = harness.getLogs().map(({ message }) => message)
      await harness.close()
      expect(telling(lines, textsIn((await demoRecords('demo')).records))).toEqual([])
    },
  }
}
